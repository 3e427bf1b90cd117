// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

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
