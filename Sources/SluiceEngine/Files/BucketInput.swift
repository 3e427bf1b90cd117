// SPDX-License-Identifier: MIT

internal import SluiceFeeds
package import SluiceFiles
internal import SluiceImaging
package import SluiceModel
package import SluiceStore
internal import SluiceTransfer

/// The pictures below locations in buckets: a feed of them, and their content.
///
/// Pictures are recognised by the extensions of their keys, because reading them would cost requests.
package final class BucketInput: Feed, InputFiles {
    private struct State {
        /// The locations that are not listed completely.
        var rest: Range<Int>
        var objects: StoredObjects?
        var names = OutputNames()
        /// The listed objects that have not been opened, by URL.
        var listed: [String: StoredObject] = [:]
    }

    package var name: String { FileFeed.name }
    package let defaultVariant = FileFeed.walked
    private let stores: [S3Store]
    private let state: Locked<State>

    /// Makes a feed of the pictures in buckets, which are copied to a mirror's local folder when they are opened.
    ///
    /// Returns `nil` if there are no buckets.
    package init?(_ buckets: [S3Bucket], copyingTo folder: Folder) {
        guard !buckets.isEmpty else { return nil }
        stores = buckets.map {
            S3Store($0, folder: folder, stagingIn: MirrorFolder.partial, isOnlyWriter: false)
        }
        state = Locked(State(rest: stores.indices))
    }

    package var maxPages: Int? { nil }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let photos = await DedicatedThread.run { [self] in
            Result { () throws(FileError) in try nextPhotos(unless: token) }
        }
        try token.check()
        do throws(FileError) {
            let photos = try photos.get()
            return Page(
                number: number, photos: photos ?? [], next: photos.map { _ in Cursor(rawValue: "\(number + 1)") })
        } catch {
            throw Failure(.feedParse, error.description)
        }
    }

    /// The pictures of the next page that has any; `nil` after the last.
    private func nextPhotos(unless token: CancellationToken) throws(FileError) -> [Photo]? {
        // The lock is held during requests. The feed has only one reader.
        try state.withLock { state throws(FileError) in
            while !token.isCancelled {
                guard let current = state.rest.first else { return nil }
                if state.objects == nil { state.objects = stores[current].objects() }
                guard let page = try state.objects?.next() else {
                    (state.objects, state.rest) = (nil, state.rest.dropFirst())
                    continue
                }
                let photos = page.filter(Self.isShown).map { photo(of: $0, in: stores[current], &state) }
                if !photos.isEmpty { return photos }
            }
            return nil
        }
    }

    private static func isShown(_ object: StoredObject) -> Bool {
        let parts = object.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.hasPrefix(".") && !$0.isEmpty }), let last = parts.last,
            let dot = last.lastIndex(of: ".")
        else { return false }
        // Videos would be downloaded only to be refused.
        return ImageFormat(fileExtension: last[last.index(after: dot)...].lowercased())?.isPicture == true
    }

    private func photo(of object: StoredObject, in store: S3Store, _ state: inout State) -> Photo {
        let url = store.url(of: object.name)
        state.listed[url] = object
        var photo = Photo(
            id: state.names.name(for: object.name, at: url), variants: [Variant(name: FileFeed.walked, url: url)])
        photo.caption = object.name
        return photo
    }

    package func stamp(of item: Item) -> String? {
        guard let url = item.photo.variants.first?.url else { return nil }
        return state.withLock { $0.listed[url]?.stamp }
    }

    package func open(_ item: Item, limit: Int) async throws(Failure) -> OpenedInput {
        let url = item.photo.variants.first?.url ?? ""
        let object = state.withLock { $0.listed.removeValue(forKey: url) }
        guard let store = stores.first(where: { $0.name(of: url) != nil }), let name = store.name(of: url) else {
            throw Failure(.policy, "not below a location of this run", finalURL: url)
        }
        if let object, object.size > limit {
            throw Failure(.tooLarge, "\(object.size) bytes (limit \(limit))", finalURL: url)
        }
        let copy = await DedicatedThread.run { Result { () throws(FileError) in try store.copy(name) } }
        do throws(FileError) {
            let copy = try copy.get()
            let stamp = copy.stamp
            return OpenedInput(file: try copy.open(), stamp: stamp)
        } catch {
            if error.isOutOfDescriptors || error.isDiskFull { throw Failure(error) }
            throw Failure(error.isMissing ? .httpClientError(404) : .connect, error.reason, finalURL: url)
        }
    }
}
