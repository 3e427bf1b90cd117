// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

// Uploads in parts that a killed process did not complete. Their parts cost space until they are removed.

extension S3Client {
    /// The most listings, each of up to 1,000 uploads.
    private static let maxListings = 1000

    /// Aborts all uploads of keys with this prefix, which must have no other writer; returns their number.
    @discardableResult
    func abortUploads(below prefix: String) throws(S3Error) -> Int {
        var count = 0
        var last: [Upload] = []
        for _ in 0..<Self.maxListings {
            let uploads = try uploads(below: prefix)
            guard !uploads.isEmpty, uploads != last else { break }
            last = uploads
            for upload in uploads {
                do throws(S3Error) {
                    let query = [(name: "uploadId", value: upload.id)]
                    try send(S3Request("DELETE", key: try Self.checked(upload.key), query: query)) {
                        (_) throws(S3Error) in
                    }
                    count += 1
                } catch {
                    guard error.isMissing || error.code.rawValue == "NoSuchUpload" else { throw error }
                }
            }
        }
        return count
    }

    private struct Upload: Hashable {
        var key: String
        var id: String
    }

    /// The first uploads of keys with this prefix.
    private func uploads(below prefix: String) throws(S3Error) -> [Upload] {
        let query = [("uploads", ""), ("encoding-type", "url"), ("prefix", prefix)].map { (name: $0.0, value: $0.1) }
        return try send(S3Request("GET", query: query)) { (response) throws(S3Error) in
            guard let list = ReplyElement(parsing: response.body, limit: response.body.count),
                list.name == "ListMultipartUploadsResult"
            else { throw S3Error(code: .invalidResponse, message: "the service sent an invalid list of uploads") }
            let isEncoded = list["EncodingType"] == "url"
            return list.all("Upload").compactMap { upload in
                guard let text = upload["Key"], let id = upload["UploadId"],
                    let key = isEncoded ? S3Page.decoded(text) : text, key.utf8.starts(with: prefix.utf8)
                else { return nil }
                return Upload(key: key, id: id)
            }
        }
    }
}
