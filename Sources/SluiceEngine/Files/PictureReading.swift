// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceStore

/// Opens pictures that are read where they are, or from a temporary copy.
package protocol PictureReading: Sendable {
    /// Returns a text that changes with the file, without reading the content; `nil` if it is not known.
    func stamp(of item: Item) -> String?

    /// Opens a file; throws if it is larger than `limit` bytes. A copy is made in `folder`.
    func open(_ item: Item, limit: Int, copyingTo folder: Folder) async throws(Failure) -> OpenedInput
}

/// An open input file, and its stamp from before its content was read.
package struct OpenedInput: ~Copyable {
    package let file: OpenFile
    package let stamp: String
    /// The number of bytes at the time of the stamp; `nil` if it is not known.
    package var size: Int?
    /// The whole content if it is small, so that it is read once for hash, header and decode.
    package var bytes: [UInt8]?
    /// The SHA-256 of the content, 64 hexadecimal digits; `nil` if the file must be read for it.
    package var sha256: String?
}

package struct LocalPictures: PictureReading {
    /// The longest file whose content is in memory while its photo is in flight: most photos on the web.
    private static let inMemoryLimit = 256 << 10

    package init() {}

    package func stamp(of item: Item) -> String? {
        let (path, isNamed) = place(of: item)
        return OpenFile.stamp(ofFileAt: path, followsLink: isNamed)
    }

    package func open(_ item: Item, limit: Int, copyingTo folder: Folder) async throws(Failure) -> OpenedInput {
        let file = try Failure.atSource(file(of: item))
        // Read before the content, so that the next run notices a change in the meantime.
        let version = try Failure.atSource(file.version)
        guard version.size <= limit else {
            throw Failure(.tooLarge, "\(version.size) bytes (limit \(limit))", finalURL: file.path)
        }
        let isSmall = version.size <= Self.inMemoryLimit
        let bytes = isSmall ? try Failure.atSource(file.read(at: 0, count: version.size)) : nil
        return OpenedInput(file: file, stamp: version.stamp, size: version.size, bytes: bytes)
    }

    private func file(of item: Item) throws(FileError) -> OpenFile {
        let (path, isNamed) = place(of: item)
        return isNamed ? try OpenFile.reading(path, followsLink: true) : try OpenFile.listed(path)
    }

    private func place(of item: Item) -> (path: String, isNamed: Bool) {
        let variant = item.photo.variants.first
        return (variant?.url ?? "", variant?.name == FileFeed.named)
    }
}

extension Failure {
    /// Converts an error of the input file.
    ///
    /// It names the path, fails only its item, and does not stop the run unless too many files are open.
    fileprivate static func atSource<Value: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch {
            if error.isOutOfDescriptors { throw Failure(error) }
            throw Failure(.disk, error.reason, finalURL: error.path)
        }
    }
}

/// Opens copies of the objects of a ``BucketFeed``.
package struct BucketPictures: PictureReading {
    private let feed: BucketFeed

    package init(_ feed: BucketFeed) { self.feed = feed }

    package func stamp(of item: Item) -> String? {
        item.photo.variants.first.flatMap { feed.listed($0.url)?.stamp }
    }

    package func open(_ item: Item, limit: Int, copyingTo folder: Folder) async throws(Failure) -> OpenedInput {
        let url = item.photo.variants.first?.url ?? ""
        let (bucket, name) = try feed.find(url)
        let size = feed.listed(url)?.size
        if let size, size > limit { throw Failure(.tooLarge, "\(size) bytes (limit \(limit))", finalURL: url) }
        let store = S3Store(bucket, folder: folder, stagingIn: MirrorFolder.partial)
        let copy = await bucket.withRequests { Result { () throws(FileError) in try store.copy(name, size: size) } }
        do throws(FileError) {
            let copy = try copy.get()
            let (stamp, sha256) = (copy.stamp, copy.sha256)
            return OpenedInput(file: try copy.open(), stamp: stamp, sha256: sha256)
        } catch {
            if error.isOutOfDescriptors || error.isDiskFull { throw Failure(error) }
            throw Failure(error.isMissing ? .httpClientError(404) : .connect, error.reason, finalURL: url)
        }
    }
}
