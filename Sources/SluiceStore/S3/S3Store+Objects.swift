// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceModel

/// An object below a store's prefix.
package struct StoredObject: Sendable, Hashable {
    /// The name below the prefix.
    package var name: String
    package var size: Int
    /// A text that changes with the content.
    package var stamp: String
    /// The entity tag, as the header of a download has it.
    package var etag: String
    /// When the object was stored: `2026-01-31T09:30:00.000Z`.
    package var modified: String?
}

/// All objects below a store's prefix, page by page.
package struct StoredObjects: Sendable {
    private let location: S3Location
    private let prefix: String
    private var listing: S3Listing

    init(_ client: S3Client, location: S3Location, prefix: String) {
        self.location = location
        self.prefix = prefix
        listing = S3Listing(client, prefix: prefix)
    }

    /// Loads the next page, of up to 1,000 objects; `nil` after the last.
    package mutating func next() throws(FileError) -> [StoredObject]? {
        do throws(S3Error) {
            return try listing.next()?.objects.map {
                StoredObject(
                    name: $0.key.dropping(prefix: prefix), size: $0.size, stamp: $0.stamp, etag: $0.etag,
                    modified: $0.modified)
            }
        } catch {
            throw error.fileError("list", location.description, bucket: location.bucket)
        }
    }
}

extension S3Store {
    /// The bucket and the location.
    package var bucket: S3Bucket { S3Bucket(place, client: client) }

    /// Returns the size and the SHA-256 that the service compared with the upload.
    ///
    /// Large objects have another checksum, so that they must be read.
    package func recordedContent(of name: String) throws(FileError) -> RecordedContent? {
        try converting("check", name) { () throws(S3Error) in
            guard let (object, headers) = try client.headWithChecksums(place.key(of: name)) else {
                throw S3Error(code: .noSuchKey)
            }
            guard let sha256 = S3Client.recordedSHA256(headers) else { return nil }
            return RecordedContent(size: object.size, sha256: sha256)
        }
    }
}

/// A local copy of an object.
package struct ObjectCopy: Sendable {
    /// The stamp of the copied version.
    package let stamp: String
    /// The SHA-256 of the bytes, 64 hexadecimal digits, computed as they arrived.
    package let sha256: String?
    private let partial: PartialFile
    private let folder: Folder

    init(stamp: String, sha256: String?, partial: PartialFile, folder: Folder) {
        (self.stamp, self.sha256, self.partial, self.folder) = (stamp, sha256, partial, folder)
    }

    /// Flushes the copy, which its owner then gives this name or removes.
    package consuming func stage(as name: String) throws(FileError) -> StagedFile {
        try partial.stage(as: name, flushed: true)
    }

    /// Opens the copy and removes its name, so that it vanishes when it is closed.
    package consuming func open() throws(FileError) -> OpenFile {
        if partial.isInMemory { return try partial.duplicate() }
        defer { try? partial.remove() }
        return try folder.openForReading(partial.name)
    }
}
