// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A digest of a file that its host states in a header of the response.
struct HostDigest: Sendable, Hashable {
    /// The name of the header.
    let field: String
    let checksum: Checksum

    /// Headers with digests by their names, such as `sha-256=:…:, md5=…` (RFC 9530, RFC 3230, Google Cloud Storage).
    private static let lists = ["repr-digest", "digest", "x-goog-hash"]
    /// Headers with one digest (RFC 1864, S3).
    private static let single: [(field: String, Checksum.Algorithm)] = [
        ("content-md5", .md5), ("x-amz-checksum-sha256", .sha256), ("x-amz-checksum-sha1", .sha1),
    ]
    private static let algorithms: [String: Checksum.Algorithm] = [
        "sha-256": .sha256, "sha": .sha1, "sha-1": .sha1, "md5": .md5,
    ]

    private init?(_ field: String, _ algorithm: Checksum.Algorithm?, _ text: some StringProtocol) {
        guard let algorithm, let bytes = Base64.decoded(String(text)),
            let checksum = Checksum(algorithm, bytes.hexadecimal)
        else { return nil }
        (self.field, self.checksum) = (field, checksum)
    }

    /// Returns the digest of a whole file that is checked: the strongest, or `nil` if the response states none.
    ///
    /// Others than `Repr-Digest` are about the bytes of this response, so the rest of a file has none. Malformed ones
    /// state nothing.
    init?(of response: Response) {
        let headers = response.headers
        guard !headers.isEncoded else { return nil }
        var found = Self.lists.flatMap { field in
            headers.all(field).flatMap { $0.split(separator: ",") }.compactMap { entry -> HostDigest? in
                let name = entry.prefix { $0 != "=" }
                let value = String(entry.dropFirst(name.count + 1)).trimmed
                return HostDigest(field, Self.algorithms[String(name).trimmed.lowercased()], value.trimmingColons)
            }
        }
        found += Self.single.compactMap { field, algorithm in
            headers[field].flatMap { HostDigest(field, algorithm, $0) }
        }
        // A bucket may store a file compressed and send it otherwise.
        let isStoredAsSent = headers["x-goog-stored-content-encoding"].map { $0 == "identity" } ?? true
        let usable = found.filter { digest in
            digest.field == "x-goog-hash" ? isStoredAsSent : !response.isPart || digest.field == "repr-digest"
        }
        let order: [Checksum.Algorithm] = [.sha256, .md5, .sha1]
        guard let best = order.lazy.compactMap({ wanted in usable.first { $0.checksum.algorithm == wanted } }).first
        else { return nil }
        self = best
    }

    /// The digest as receipts record it: `repr-digest: sha256=…`.
    private var text: String { "\(field): \(checksum.algorithm.rawValue)=\(checksum.digits)" }

    /// Returns the digest that the host of a response states, if the file has it; throws if it has another one.
    @discardableResult
    static func check(_ response: Response, of descriptor: Int32) throws(Failure) -> String? {
        guard response.stopped == nil, let stated = HostDigest(of: response) else { return nil }
        let checksum = stated.checksum
        let digits =
            checksum.algorithm == .sha256
            ? response.sha256 : Checksum(of: descriptor, by: checksum.algorithm)?.digits
        guard let digits else { return nil }
        guard digits != checksum.digits else { return stated.text }
        throw Failure(
            .digestMismatch, "\(stated.field) states the \(checksum.algorithm) \(checksum.digits), but it is \(digits)")
    }
}

extension String {
    /// The text without the colons around a sequence of bytes in a structured field.
    fileprivate var trimmingColons: Substring {
        count > 1 && hasPrefix(":") && hasSuffix(":") ? dropFirst().dropLast() : self[...]
    }
}
