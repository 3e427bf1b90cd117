// SPDX-License-Identifier: MIT

internal import CCrypto
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// Signs requests with AWS Signature Version 4.
///
/// libcurl's own signing is wrong up to version 8.14: for queries, for slashes in prefixes, and for some keys.
struct RequestSigner: Sendable {
    var credentials: S3Credentials
    var region: String
    var service = "s3"
    /// Keeps the last key, which is the same for all requests of a day.
    var keys = SigningKeyCache()

    /// The parts of a request that a signature covers.
    struct Parts: Sendable {
        var method: String
        /// The host, with the port unless it is the scheme's default.
        var host: String
        /// The path, percent-encoded as it is sent.
        var path: String
        /// The names and values of the query, not encoded.
        var query: [(name: String, value: String)] = []
        /// The names, in lower case, and values of the headers to sign, without `host`.
        var headers: [(name: String, value: String)] = []
        /// The SHA-256 of the body.
        var payloadHash: String
    }

    /// The headers to send: those of the request, and those that sign it.
    func headers(for request: Parts, at time: SigningTime) -> [(name: String, value: String)] {
        var headers = request.headers
        headers.append(("x-amz-content-sha256", request.payloadHash))
        headers.append(("x-amz-date", time.text))
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let signed = (headers + [("host", request.host)]).sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let canonical = [
            request.method, request.path, Self.canonicalQuery(request.query),
            signed.map { "\($0.name):\($0.value)\n" }.joined(), names, request.payloadHash,
        ].joined(separator: "\n")
        let scope = "\(time.date)/\(region)/\(service)/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(time.text)\n\(scope)\n\(SHA256.digest(of: Array(canonical.utf8)))"
        let key = keys.key(for: scope, of: credentials.secretKey) {
            ["\(time.date)", region, service, "aws4_request"].reduce(Array("AWS4\(credentials.secretKey)".utf8)) {
                Self.hmac(Array($1.utf8), key: $0)
            }
        }
        let signature = Self.hmac(Array(text.utf8), key: key).hexadecimal
        let authorization = "Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        return headers + [("authorization", "AWS4-HMAC-SHA256 \(authorization)")]
    }

    /// The query as it is signed and sent: encoded, and sorted by the bytes of the encoded names and values.
    static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
        query.map { ($0.name.percentEncoded(), $0.value.percentEncoded()) }.sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &result, &count)
        return Array(result.prefix(Int(count)))
    }
}

/// The key of the last signature.
final class SigningKeyCache: Sendable {
    private let last = Locked<(scope: String, secret: String, key: [UInt8])?>(nil)

    /// Returns the key for a scope; makes it if the last one was another.
    func key(for scope: String, of secret: String, make: () -> [UInt8]) -> [UInt8] {
        if let last = last.withLock({ $0 }), last.scope == scope, last.secret == secret { return last.key }
        let key = make()
        last.withLock { $0 = (scope, secret, key) }
        return key
    }
}

/// The time of a signature, in the format of AWS: `20130524T000000Z`.
struct SigningTime: Sendable {
    let text: String
    /// The date alone: `20130524`.
    var date: String { String(text.prefix(8)) }

    static var now: SigningTime { SigningTime(secondsSince1970: secondsNow()) }

    /// The current time in seconds since 1970.
    static let secondsNow: @Sendable () -> Int = { Int(time(nil)) }

    init(secondsSince1970: Int) {
        text = UTCTime(secondsSince1970: secondsSince1970).compactText
    }
}

/// The keys that sign requests to a bucket.
///
/// Its description and its mirror show no secret, so that none gets into a message.
struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The public identifier of the secret key.
    var accessKey: String
    var secretKey: String
    /// The token of temporary keys.
    var sessionToken: String?
    /// When temporary keys expire, in seconds since 1970.
    var expiry: Int?

    var description: String { "S3 credentials" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// An incremental CRC-64/NVME, the checksum of whole objects that are uploaded in parts.
struct CRC64: Sendable {
    private var state: UInt64 = .max

    /// The CRC of each byte followed by 0 to 7 zero bytes, so that eight bytes are processed at once.
    private static let tables: [[UInt64]] = {
        let first = (0..<256).map { byte in
            (0..<8).reduce(UInt64(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x9A6C_9329_AC4B_C9B5 : 0) }
        }
        var tables = [first]
        for _ in 1..<8 { tables.append((tables.last ?? []).map { first[Int($0 & 0xFF)] ^ $0 >> 8 }) }
        return tables
    }()

    mutating func update(_ bytes: [UInt8]) {
        let tables = Self.tables
        var offset = 0
        while offset + 8 <= bytes.count {
            var next: UInt64 = 0
            for index in 0..<8 {
                let byte = bytes[offset + index] ^ UInt8(truncatingIfNeeded: state >> UInt64(8 * index))
                next ^= tables[7 - index][Int(byte)]
            }
            state = next
            offset += 8
        }
        for byte in bytes[offset...] { state = tables[0][Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
    }

    /// The checksum of all bytes so far, as the header `x-amz-checksum-crc64nvme` has it.
    var base64: String {
        let value = ~state
        return Base64.encoded((0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) })
    }
}
