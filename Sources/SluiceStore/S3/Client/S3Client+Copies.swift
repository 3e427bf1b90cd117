// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

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
                    throw S3Error(code: .invalidResponse, message: "the service did not copy the object")
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
