// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
package import SluiceModel
package import SluiceStore
internal import SluiceTransfer

/// A feed of the pictures below locations in buckets.
///
/// Pictures are recognised by the extensions of their keys, because reading them would cost requests. Each photo has
/// one variant, whose URL is that of its object.
package final class BucketFeed: Feed {
    /// The number of pages whose objects are remembered until they are processed.
    private static let rememberedPages = 4

    private struct State {
        /// The locations that are not listed completely.
        var rest: Range<Int>
        var objects: StoredObjects?
        var names = OutputNames()
        /// The objects of the last pages, by URL.
        var recent: [TextMap<StoredObject>] = []
    }

    package var name: String { FileFeed.name }
    package let defaultVariant = FileFeed.walked
    private let buckets: [S3Bucket]
    private let naming: FileFeed.Naming
    private let state: Locked<State>

    package init(_ buckets: [S3Bucket], by naming: FileFeed.Naming) {
        self.buckets = buckets
        self.naming = naming
        state = Locked(State(rest: buckets.indices))
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
            throw Failure(.feedParse, error.description, hint: error.isRefusedKey ? .readAnonymously : nil)
        }
    }

    /// The pictures of the next page that has any; `nil` after the last.
    private func nextPhotos(unless token: CancellationToken) throws(FileError) -> [Photo]? {
        // The lock is held during requests. The feed has only one reader.
        try state.withLock { state throws(FileError) in
            while !token.isCancelled {
                guard let current = state.rest.first else { return nil }
                if state.objects == nil { state.objects = buckets[current].objects() }
                guard let page = try state.objects?.next() else {
                    (state.objects, state.rest) = (nil, state.rest.dropFirst())
                    continue
                }
                let pictures = page.filter(Self.isShown).map {
                    (url: buckets[current].location.appending($0.name), object: $0)
                }
                guard !pictures.isEmpty else { continue }
                state.recent.append(TextMap(pictures.map { ($0.url, $0.object) }))
                if state.recent.count > Self.rememberedPages { state.recent.removeFirst() }
                return pictures.map { photo(of: $0.object, at: $0.url, &state.names) }
            }
            return nil
        }
    }

    private static func isShown(_ object: StoredObject) -> Bool {
        let parts = object.name.pathComponents
        guard parts.allSatisfy({ !$0.hasPrefix(".") && !$0.isEmpty }), let last = parts.last,
            let dot = last.lastIndex(of: ".")
        else { return false }
        // Videos would be downloaded only to be refused.
        return ImageFormat(fileExtension: last[last.index(after: dot)...].lowercased())?.isPicture == true
    }

    private func photo(of object: StoredObject, at url: String, _ names: inout OutputNames) -> Photo {
        var photo = Photo(id: url, variants: [Variant(name: FileFeed.walked, url: url)])
        switch naming {
        case .outputs:
            photo.id = names.name(for: object.name, at: url)
            photo.caption = object.name
        case .paths:
            photo.setFacts(fromPath: object.name)
            photo.date = object.modified.flatMap(PublishedDate.seconds)
            photo.dateSource = photo.date.map { _ in Photo.fileTime }
        }
        return photo
    }

    /// The object at a URL, if one of the last pages listed it.
    func listed(_ url: String) -> StoredObject? {
        state.withLock { state in state.recent.lazy.compactMap { $0[url] }.first }
    }

    /// The bucket of an object, and its name there; throws if it is not below a location of this feed.
    func find(_ url: String) throws(Failure) -> (bucket: S3Bucket, name: String) {
        for bucket in buckets {
            if let name = bucket.location.name(of: url) { return (bucket, name) }
        }
        throw Failure(.policy, "not below a location of this run", finalURL: url)
    }
}
