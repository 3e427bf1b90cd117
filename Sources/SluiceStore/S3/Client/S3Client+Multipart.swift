// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

// Large files are uploaded in parts, of which only one is in memory.

extension S3Client {
    /// Files of at least this size are uploaded in parts.
    static let multipartSize = 64 << 20
    /// The most parts of an object.
    private static let maxParts = 10_000
    private static let partSize = 16 << 20

    /// The parts that the service has stored, and the checksum of the whole file.
    private struct StoredParts {
        var parts: [(etag: String, checksum: String)] = []
        var whole = CRC64()
    }

    /// Uploads a file with its checksum, in parts if it is large.
    ///
    /// `sha256` is that of the file, if it is known.
    func put(
        _ file: borrowing OpenFile, to key: String, sha256: String? = nil, condition: Condition? = nil
    ) throws(S3Error) {
        let size = try Self.reading(file.size)
        guard size >= Self.multipartSize else {
            let bytes = try Self.reading(file.readAll(limit: Self.multipartSize))
            try put(bytes, to: key, sha256: sha256, condition: condition)
            return
        }
        var begin = S3Request("POST", key: try Self.checked(key), query: [("uploads", "")])
        begin.headers = [
            ("content-type", Self.mediaType(of: key)), ("x-amz-checksum-algorithm", "CRC64NVME"),
            ("x-amz-checksum-type", "FULL_OBJECT"),
        ]
        let upload = try send(begin) { (response) throws(S3Error) in
            let reply = ReplyElement(parsing: response.body, limit: response.body.count)
            guard let id = reply?["UploadId"], !id.isEmpty else {
                throw .invalid("the service did not begin the upload")
            }
            return id
        }
        do throws(S3Error) {
            let parts = try putParts(of: file, size: size, to: key, upload)
            try complete(key, upload, with: parts, condition)
        } catch {
            // The parts cost space until they are removed.
            try? send(S3Request("DELETE", key: key, query: [("uploadId", upload)])) { (_) throws(S3Error) in }
            throw error
        }
    }

    private func putParts(
        of file: borrowing OpenFile, size: Int, to key: String, _ upload: String
    ) throws(S3Error) -> StoredParts {
        let partSize = max(Self.partSize, (size + Self.maxParts - 1) / Self.maxParts)
        var stored = StoredParts()
        for offset in stride(from: 0, to: size, by: partSize) {
            let bytes = try Self.reading(file.read(at: offset, count: min(partSize, size - offset)))
            guard bytes.count == min(partSize, size - offset) else {
                throw .invalid("the file shrank while it was read")
            }
            stored.whole.update(bytes)
            var crc = CRC64()
            crc.update(bytes)
            let checksum = crc.base64
            var request = S3Request(
                "PUT", key: key, query: [("partNumber", "\(stored.parts.count + 1)"), ("uploadId", upload)])
            request.headers = [(Self.crc64Header, checksum)]
            request.setBody(bytes)
            let etag = try send(request) { (response) throws(S3Error) in
                if let received = response.headers[Self.crc64Header], received != checksum {
                    throw S3Error(code: .connection, message: "the checksum of the upload differs from the service's")
                }
                guard let etag = response.headers["etag"] else {
                    throw .invalid("the service did not store a part")
                }
                return etag
            }
            stored.parts.append((etag, checksum))
        }
        return stored
    }

    private func complete(
        _ key: String, _ upload: String, with stored: StoredParts, _ condition: Condition?
    ) throws(S3Error) {
        let checksum = stored.whole.base64
        var request = S3Request("POST", key: key, query: [("uploadId", upload)])
        request.headers = [
            (Self.crc64Header, checksum), ("x-amz-checksum-type", "FULL_OBJECT"),
        ]
        if let condition { request.headers.append(condition.header) }
        let list = stored.parts.enumerated().map { index, part in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(part.etag.escapedForXML)</ETag>"
                + "<ChecksumCRC64NVME>\(part.checksum)</ChecksumCRC64NVME></Part>"
        }
        request.setBody(Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8))
        do throws(S3Error) {
            try send(request) { (response) throws(S3Error) in
                // The service sends the status before it knows the result.
                guard let reply = ReplyElement(parsing: response.body, limit: response.body.count) else {
                    throw .invalid("the service did not complete the upload")
                }
                if reply.name == "Error" { throw S3Error(response) }
                if let received = reply["ChecksumCRC64NVME"], received != checksum {
                    throw .invalid("the checksum of the upload differs from the service's")
                }
            }
        } catch {
            // Not every service knows conditions for uploads in parts.
            if condition != nil, error.status == 501 { return try complete(key, upload, with: stored, nil) }
            // An earlier attempt, whose response was lost, may have completed the upload.
            guard error.attempt > 1, error.code.rawValue == "NoSuchUpload" else { throw error }
            var head = S3Request("HEAD", key: key)
            head.headers = [("x-amz-checksum-mode", "ENABLED")]
            let isComplete = try send(head) { (response) throws(S3Error) in
                response.headers[Self.crc64Header] == checksum
            }
            guard isComplete else { throw error }
        }
    }

    static func reading<Value>(_ body: @autoclosure () throws(FileError) -> Value) throws(S3Error) -> Value {
        do { return try body() } catch { throw .invalid(error.description) }
    }
}

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
            else { throw .invalid("the service sent an invalid list of uploads") }
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
