// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// The metadata of an object in a bucket.
struct S3Object: Sendable, Hashable {
    var key: String
    var size: Int
    /// A text that changes with the content.
    var etag: String
    /// When the object was stored, as a listing states it.
    var modified: String?
    /// The SHA-256 of the bytes, 64 hexadecimal digits, if they were downloaded into a file.
    var sha256: String?

    /// A text without spaces and quotes that changes with every change of the content; the same in a listing and in a
    /// reply.
    var stamp: String { "\(size)-\(etag.filter { $0 != " " && $0 != "\"" })" }
}

extension S3Client {
    private static let sha256Header = "x-amz-checksum-sha256"
    static let crc64Header = "x-amz-checksum-crc64nvme"

    /// A condition on the object that a request replaces or removes.
    enum Condition: Sendable, Hashable {
        /// It does not exist.
        case absent
        /// It has this entity tag.
        case version(String)

        var header: (name: String, value: String) {
            switch self {
            case .absent: ("if-none-match", "*")
            case .version(let etag): ("if-match", etag)
            }
        }
    }

    /// Stores an object in one request, with its checksum, and returns its entity tag.
    ///
    /// `sha256` is that of the bytes, if it is known; the service refuses other bytes. Throws if a condition is false.
    @discardableResult
    func put(
        _ bytes: [UInt8], to key: String, sha256: String? = nil, condition: Condition? = nil
    ) throws(S3Error) -> String {
        var request = S3Request("PUT", key: try Self.checked(key))
        request.setBody(bytes, sha256: sha256)
        let checksum = Base64.encoded(hexadecimal: request.payloadHash)
        request.headers = [("content-type", Self.mediaType(of: key)), (Self.sha256Header, checksum)]
        if let condition { request.headers.append(condition.header) }
        return try send(request) { (response) throws(S3Error) in
            if let stored = response.headers[Self.sha256Header], stored != checksum {
                throw S3Error(code: .connection, message: "the checksum of the upload differs from the service's")
            }
            return response.headers["etag"] ?? ""
        }
    }

    /// Stores an object unless it exists; returns whether it did.
    func put(_ bytes: [UInt8], ifAbsent key: String) throws(S3Error) -> Bool {
        do throws(S3Error) {
            try put(bytes, to: key, condition: .absent)
            return true
        } catch {
            guard error.status == 412 else { throw error }
            // An earlier attempt, whose response was lost, may have stored it.
            return error.attempt > 1 ? try get(key, limit: .max) == bytes : false
        }
    }

    /// Uploads a file if the object has this version, or if it does not exist for `nil`; returns its new version, or
    /// `nil` if the condition is false.
    func replace(
        _ key: String, _ version: String?, with file: borrowing OpenFile, sha256: String?
    ) throws(S3Error) -> String? {
        let condition = version.map { Condition.version($0) } ?? .absent
        do throws(S3Error) {
            try put(file, to: key, sha256: sha256, condition: condition)
        } catch {
            guard error.status == 412 || error.isMissing else { throw error }
            // An earlier attempt, whose response was lost, may have stored it.
            guard error.attempt > 1, try hasContent(of: file, key) else { return nil }
        }
        return try head(key)?.etag
    }

    /// Whether an object has the content of a file that is uploaded in one request.
    private func hasContent(of file: borrowing OpenFile, _ key: String) throws(S3Error) -> Bool {
        let size = try Self.reading(file.size)
        guard size < Self.multipartSize else { return false }
        return try (try? get(key, limit: size)) == Self.reading(file.readAll(limit: size))
    }

    /// Returns an object's bytes; throws if there are more than `limit`.
    func get(_ key: String, limit: Int) throws(S3Error) -> [UInt8] {
        try getWithHeaders(key, limit: limit).bytes
    }

    /// Returns an object's bytes and the headers of the response.
    func getWithHeaders(_ key: String, limit: Int) throws(S3Error) -> (bytes: [UInt8], headers: HeaderFields) {
        var request = S3Request("GET", key: try Self.checked(key))
        request.headers = [("x-amz-checksum-mode", "ENABLED")]
        request.limit = limit
        return try send(request) { (response) throws(S3Error) in
            try Self.check(response.headers, sha256: { SHA256.digest(of: response.body) }) {
                var crc = CRC64()
                crc.update(response.body)
                return crc.base64
            }
            return (response.body, response.headers)
        }
    }

    /// Downloads an object into a file, and returns its metadata.
    @discardableResult
    func get(_ key: String, into partial: PartialFile, limit: Int) throws(S3Error) -> S3Object {
        var request = S3Request("GET", key: try Self.checked(key))
        request.headers = [("x-amz-checksum-mode", "ENABLED")]
        request.limit = limit
        return try send(request, into: partial) { (response) throws(S3Error) in
            try check(response, of: key, in: partial)
            var object = Self.object(key, response.headers, size: response.bytes)
            object.sha256 = response.sha256
            return object
        }
    }

    /// Downloads an object that was named in a listing or by the user, unless its entity tag is still `known`.
    ///
    /// An `earlyCheck` may reject it. The file is resumed if an earlier run has left a part of this version.
    func download(
        _ key: String, into partial: PartialFile, limit: Int, unless known: String?, earlyCheck: EarlyCheck?,
        token: CancellationToken
    ) throws(S3Error) -> S3Download {
        var request = S3Request("GET", key: try Self.checked(key))
        request.headers = [("x-amz-checksum-mode", "ENABLED")]
        if let known { request.headers.append(("if-none-match", known)) }
        request.limit = limit
        do throws(S3Error) {
            return try send(request, into: partial, earlyCheck: earlyCheck, token: token) {
                (response) throws(S3Error) in
                if let rejection = response.rejection { return .rejected(rejection) }
                try check(response, of: key, in: partial)
                return .complete(response)
            }
        } catch {
            guard known != nil, error.status == 304 else { throw error }
            return .unchanged
        }
    }

    /// Returns the metadata of an object; `nil` if the object does not exist.
    func head(_ key: String) throws(S3Error) -> S3Object? {
        try head(S3Request("HEAD", key: try Self.checked(key)))?.object
    }

    /// Sends a `HEAD` request for an object.
    func head(_ request: S3Request) throws(S3Error) -> (object: S3Object, headers: HeaderFields)? {
        var request = request
        // The response announces the object's size, but has no body.
        request.limit = .max
        do throws(S3Error) {
            return try send(request) { (response) throws(S3Error) in
                guard let size = response.headers["content-length"].flatMap({ Int($0)?.within(Quantity.range) }) else {
                    throw .invalid("the service does not state the object's size")
                }
                return (Self.object(request.key ?? "", response.headers, size: size), response.headers)
            }
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Removes an object; a missing one is not an error, and another version than the given one is.
    func delete(_ key: String, version: String? = nil) throws(S3Error) {
        var request = S3Request("DELETE", key: try Self.checked(key))
        if let version { request.headers = [Condition.version(version).header] }
        do throws(S3Error) {
            try send(request) { (_) throws(S3Error) in }
        } catch {
            guard error.isMissing else { throw error }
        }
    }

    /// Removes an object if it has this size and this SHA-256, which large objects do not state; returns false if not.
    ///
    /// A missing object counts as removed.
    func delete(_ key: String, ifSize size: Int, sha256: String) throws(S3Error) -> Bool {
        guard let (object, headers) = try headWithChecksums(key) else { return true }
        guard object.size == size, Self.recordedSHA256(headers) ?? sha256 == sha256 else { return false }
        do throws(S3Error) {
            try delete(key, version: object.etag)
            return true
        } catch {
            guard error.status == 412 else { throw error }
            // An earlier attempt, whose response was lost, may have removed it.
            return try head(key) == nil
        }
    }

    /// Throws if HTTP clients and servers would change the key's path.
    static func checked(_ key: String) throws(S3Error) -> String {
        let parts = key.pathComponents
        guard !key.isEmpty, !parts.contains("."), !parts.contains(".."), key.utf8.count <= 1024 else {
            throw .invalid("the key '\(key)' cannot be used in a URL")
        }
        return key
    }

    /// The media type by the key's extension, so that browsers show objects.
    static func mediaType(of key: String) -> String {
        let fileExtension = key.utf8.split(separator: UInt8(ascii: ".")).last.map { String(Substring($0)).lowercased() }
        return mediaTypes[fileExtension ?? ""] ?? "application/octet-stream"
    }

    private static let mediaTypes: [String: String] = {
        // Not SVG: a mirrored one may contain scripts.
        let pages = [
            "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript",
            "json": "application/json", "jsonl": "application/jsonl", "csv": "text/csv", "tar": "application/x-tar",
        ]
        let pictures = StoredFormat.all.map { ($0.fileExtension, $0.mediaType) }
        return pages.merging(pictures) { _, picture in picture }
    }()

    private static func object(_ key: String, _ headers: HeaderFields, size: Int) -> S3Object {
        S3Object(key: key, size: size, etag: headers["etag"] ?? "")
    }

    /// The stored SHA-256 of a whole object in hexadecimal digits; `nil` if there is none.
    static func recordedSHA256(_ headers: HeaderFields) -> String? {
        guard isOfWholeObject(headers), let stored = headers[sha256Header], !stored.contains("-"),
            let bytes = Base64.decoded(stored)
        else { return nil }
        return bytes.hexadecimal
    }

    private static func isOfWholeObject(_ headers: HeaderFields) -> Bool {
        headers["x-amz-checksum-type"].map { $0 == "FULL_OBJECT" } ?? true
    }

    /// Throws if the file does not have the bytes of the object.
    ///
    /// The response to a resumed download has no checksum of the whole object, so that it is requested.
    private func check(_ response: ServiceResponse, of key: String, in partial: PartialFile) throws(S3Error) {
        var headers = response.headers
        if headers["content-range"] != nil {
            guard let (object, stored) = try headWithChecksums(key) else { throw S3Error(code: .noSuchKey) }
            guard object.etag === headers["etag"] else {
                throw S3Error(code: .connection, message: "the object was replaced while it was downloaded")
            }
            headers = stored
        }
        try Self.check(
            headers, sha256: { response.sha256 ?? "" },
            crc64: { (try? partial.crc64(of: response.bytes)) ?? "" })
    }

    /// Throws if the stored checksum of an object is that of other bytes.
    ///
    /// That of an object in parts may be a checksum of the parts' checksums. It ends with their number, and cannot be
    /// compared.
    static func check(
        _ headers: HeaderFields, sha256: () -> String, crc64: () -> String
    ) throws(S3Error) {
        guard isOfWholeObject(headers) else { return }
        if let stored = headers[sha256Header], !stored.contains("-"), stored != Base64.encoded(hexadecimal: sha256()) {
            throw S3Error(code: .connection, message: "the received bytes do not match the object's SHA-256")
        }
        if let stored = headers[crc64Header], !stored.contains("-"), stored != crc64() {
            throw S3Error(code: .connection, message: "the received bytes do not match the object's CRC-64")
        }
    }
}

/// The result of a download that did not fail.
enum S3Download: Sendable {
    case complete(ServiceResponse)
    /// The object still has the known entity tag.
    case unchanged
    case rejected(RejectedDownload)
}

extension PartialFile {
    /// The checksum of the first `count` bytes.
    fileprivate func crc64(of count: Int) throws(FileError) -> String {
        var crc = CRC64()
        var offset = 0
        while offset < count {
            let chunk = try read(at: offset, count: min(1 << 20, count - offset))
            guard !chunk.isEmpty else { break }
            crc.update(chunk)
            offset += chunk.count
        }
        return crc.base64
    }
}

// Copies within a bucket, for which no bytes are transferred.

extension S3Client {
    /// Copies an object to another key, with its checksum.
    ///
    /// Returns false if the service cannot do that, or if it does not prove that the copy has this content.
    ///
    /// Objects that were uploaded in parts have another checksum, so they are not copied.
    func copy(_ source: String, to key: String, size: Int, sha256: String) throws(S3Error) -> Bool {
        guard size < Self.multipartSize else { return false }
        var request = S3Request("PUT", key: try Self.checked(key))
        request.headers = [
            ("x-amz-copy-source", "/\(endpoint.bucket)/\(source.percentEncoded(keeping: "/"))"),
            ("x-amz-checksum-algorithm", "SHA256"),
        ]
        let checksum: String?
        do throws(S3Error) {
            checksum = try send(request) { (response) throws(S3Error) in
                // The service sends the status before it knows the result.
                guard let reply = ReplyElement(parsing: response.body, limit: response.body.count) else {
                    throw .invalid("the service did not copy the object")
                }
                if reply.name == "Error" { throw S3Error(response) }
                return reply["ChecksumSHA256"]
            }
        } catch {
            guard [400, 405, 501].contains(error.status) else { throw error }
            return false
        }
        if checksum == Base64.encoded(hexadecimal: sha256) { return true }
        guard let (object, headers) = try headWithChecksums(key) else { return false }
        return object.size == size && Self.recordedSHA256(headers) == sha256
    }
}
