// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceTransfer

/// Reads the bytes of an object in order, block by block, with bounded memory.
///
/// All blocks are of one version. At the end, the checksum of all bytes is compared with the stored one, if the service
/// has one of the whole object. Reading blocks the calling thread.
package struct ObjectReader: ~Copyable {
    /// The bytes of one request.
    private static let blockSize = 4 << 20

    private let client: S3Client
    private let location: S3Location
    private let object: S3Object
    private let checksums: HeaderFields
    private var offset = 0
    private let sha256 = SHA256()
    private var crc64 = CRC64()
    private var block: ArraySlice<UInt8> = []

    /// Asks for the size and the version; throws if the object does not exist.
    init(_ client: S3Client, _ location: S3Location) throws(FileError) {
        (self.client, self.location) = (client, location)
        (object, checksums) = try S3Client.converting(location) { () throws(S3Error) in
            guard let found = try client.headWithChecksums(location.prefix) else { throw S3Error(code: .noSuchKey) }
            return found
        }
    }

    package var size: Int { object.size }

    /// The number of bytes read so far.
    package var bytesRead: Int { offset - block.count }

    /// Reads up to `count` bytes; none at the end.
    package mutating func read(_ count: Int) throws(FileError) -> [UInt8] {
        if block.isEmpty, offset < object.size { try fill() }
        let bytes = Array(block.prefix(count))
        block = block.dropFirst(count)
        return bytes
    }

    private mutating func fill() throws(FileError) {
        let range = offset..<min(offset + Self.blockSize, object.size)
        let bytes = try S3Client.converting(location) { () throws(S3Error) in
            try client.get(object, range)
        }
        block = bytes[...]
        offset = range.upperBound
        sha256.update(bytes)
        crc64.update(bytes)
        guard offset == object.size else { return }
        let (sha256, crc64) = (sha256.finish(), crc64.base64)
        try S3Client.converting(location) { () throws(S3Error) in
            try S3Client.check(checksums, sha256: { sha256 }) { crc64 }
        }
    }
}

/// One version of an object, of which parts are requested.
///
/// Reading blocks the calling thread.
package struct ObjectParts: Sendable {
    private let client: S3Client
    private let location: S3Location
    private let object: S3Object

    /// Asks for the size and the version; throws if the object does not exist.
    init(_ client: S3Client, _ location: S3Location) throws(FileError) {
        (self.client, self.location) = (client, location)
        object = try S3Client.converting(location) { () throws(S3Error) in
            guard let found = try client.headWithChecksums(location.prefix) else { throw S3Error(code: .noSuchKey) }
            guard !found.object.etag.isEmpty else {
                throw .invalid("the service does not state the object's version")
            }
            return found.object
        }
    }

    package var size: Int { object.size }

    /// Reads a part; throws if the object has another version now.
    package func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        return try S3Client.converting(location) { () throws(S3Error) in try client.get(object, range) }
    }
}

extension S3Client {
    fileprivate static func converting<Value>(
        _ location: S3Location, _ body: () throws(S3Error) -> Value
    ) throws(FileError) -> Value {
        do throws(S3Error) { return try body() } catch {
            throw error.fileError("read", location.description, bucket: location.bucket)
        }
    }

    /// Asks for an object's size and version, and the headers with its checksums; `nil` if it does not exist.
    func headWithChecksums(_ key: String) throws(S3Error) -> (object: S3Object, headers: HeaderFields)? {
        var request = S3Request("HEAD", key: try Self.checked(key))
        request.headers = [("x-amz-checksum-mode", "ENABLED")]
        return try head(request)
    }

    /// Returns a part of a version of an object; throws if it has another version now.
    fileprivate func get(_ object: S3Object, _ range: Range<Int>) throws(S3Error) -> [UInt8] {
        var request = S3Request("GET", key: object.key)
        request.headers = [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        if !object.etag.isEmpty { request.headers.append(("if-match", object.etag)) }
        request.limit = range.count
        do throws(S3Error) {
            return try send(request) { (response) throws(S3Error) in
                let isWhole = range.count == object.size
                guard response.status == 206 || isWhole, response.body.count == range.count else {
                    throw .invalid("the service sent another part than the requested one")
                }
                return response.body
            }
        } catch {
            guard error.status == 412 else { throw error }
            throw .invalid("the object was replaced while it was read")
        }
    }
}
