// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Loads manifests and collections, and caches the collections.
final class IIIFTree: Sendable {
    /// The maximum number of pages of a collection.
    private static let maxPages = 1000
    /// The maximum number of members of a collection.
    private static let maxMembers = 100_000

    /// A loaded resource: a manifest's photos and its number of canvases without pictures, or a collection's members.
    enum Node {
        case manifest([Photo], otherCanvases: Int)
        case collection(Members)
    }

    /// The member addresses of a collection.
    struct Members: Sendable {
        var addresses: [String]
        /// The reason why the collection's further pages were not loaded.
        var failure: Failure?

        /// The number of positions in the collection; a failure takes the last one.
        var count: Int { addresses.count + (failure == nil ? 0 : 1) }
    }

    private let root: String
    private let transfers: Transfers
    /// The root if it is known, as that of a saved file is.
    private let saved: IIIFDocument?
    private let collections = Locked<TextMap<Members>>([:])
    /// The manifests that the last collection contains instead of referring to them.
    private let embedded = Locked<TextMap<IIIFDocument>>([:])

    /// Creates the tree below `root`.
    init(root: String, transfers: Transfers, saved: IIIFDocument? = nil) {
        (self.root, self.transfers, self.saved) = (root, transfers, saved)
    }

    /// Loads the resource at an address; each collection is fetched once.
    func node(at address: String, token: CancellationToken) async throws(Failure) -> Node {
        if let known = collections.withLock({ $0[address] }) { return .collection(known) }
        let document = try await fetch(address, token: token)
        switch document.type {
        case "Manifest":
            let (photos, others) = try await photos(of: document, token: token)
            return .manifest(photos, otherCanvases: others)
        case "Collection":
            let members = try await members(of: document, at: address, token: token)
            collections.withLock { $0[address] = members }
            return .collection(members)
        default:
            guard let photo = Self.photo(of: document, at: address) else {
                throw Failure(.feedParse, "\(address) is neither a IIIF manifest nor a collection")
            }
            return .manifest([photo], otherCanvases: 0)
        }
    }

    /// Returns the photo that an image service describes; `nil` for another document.
    private static func photo(of information: IIIFDocument, at address: String) -> Photo? {
        guard let image = IIIFImage(information: information) else { return nil }
        var photo = Photo(id: (information.id ?? address).truncated(to: Photo.maxIDLength), variants: image.variants)
        guard !photo.variants.isEmpty else { return nil }
        (photo.width, photo.height) = (image.width, image.height)
        photo.licenseURL = information.address("rights") ?? information.address("license")
        photo.normalizeLicense()
        photo.attribution = information.text("attribution")
        return photo
    }

    /// Returns a manifest's photos.
    ///
    /// Fetches annotation pages that are not embedded. A page that cannot be fetched fails only its canvas.
    private func photos(
        of document: IIIFDocument, token: CancellationToken
    ) async throws(Failure) -> (photos: [Photo], otherCanvases: Int) {
        var manifest = IIIFManifest(document)
        for address in manifest.externalPages {
            do throws(Failure) {
                manifest.add(.success(try await fetch(address, token: token)), at: address)
            } catch {
                guard error.cause != .cancelled else { throw error }
                manifest.add(.failure(error), at: address)
            }
        }
        return (try manifest.photos(token: token), manifest.otherCanvases)
    }

    /// Returns the addresses from the root to the resource at a path; empty if the path no longer exists.
    ///
    /// Throws if the path leads to pages of a collection that were not loaded.
    func addresses(along path: [Int], token: CancellationToken) async throws(Failure) -> [String] {
        var addresses = [root]
        for index in path {
            guard case .collection(let members) = try await node(at: addresses[addresses.count - 1], token: token),
                (0..<members.count).contains(index)
            else { return [] }
            if index == members.addresses.count, let failure = members.failure { throw failure }
            addresses.append(members.addresses[index])
        }
        return addresses
    }

    /// Returns the distinct members on all pages of a collection.
    private func members(
        of document: IIIFDocument, at address: String, token: CancellationToken
    ) async throws(Failure) -> Members {
        var page = IIIFCollection(document)
        var members = Members(addresses: page.members.compactMap(\.id))
        keepManifests(in: page)
        var seen: TextSet = [address]
        while let next = page.next {
            guard seen.insert(next) else {
                throw Failure(.paginationLoop, "\(address) repeats its page \(next)")
            }
            guard seen.count <= Self.maxPages else {
                throw Failure(.paginationLoop, "\(address) has more than \(Self.maxPages) pages")
            }
            guard let here = WebAddress(address), WebAddress(next)?.hasOrigin(of: here) == true else {
                members.failure = Failure(.crossOriginNext, next)
                break
            }
            page = IIIFCollection(try await fetch(next, token: token))
            members.addresses += page.members.compactMap(\.id)
            guard members.addresses.count <= Self.maxMembers else {
                throw Failure(.feedParse, "\(address) has more than \(Self.maxMembers) members")
            }
        }
        var unique: TextSet = []
        members.addresses = members.addresses.filter { unique.insert($0) }
        return members
    }

    /// Keeps the manifests inside a collection, and forgets those of the one before, whose size nothing limits.
    private func keepManifests(in collection: IIIFCollection) {
        embedded.withLock { embedded in
            embedded = [:]
            for member in collection.members where member.isWholeManifest {
                if let id = member.id { embedded[id] = member }
            }
        }
    }

    private func fetch(_ address: String, token: CancellationToken) async throws(Failure) -> IIIFDocument {
        if let saved, address == root { return saved }
        if let known = embedded.withLock({ $0[address] }) { return known }
        var request = Request(address, limit: 16 << 20, timeout: .seconds(60))
        request.acceptsCompression = true
        let response = try await transfers.fetch(request, token: token)
        do {
            return IIIFDocument(json: try JSON(parsing: Array(XMLCleaning.content(of: response.body[...]))))
        } catch {
            throw Failure(.feedParse, "\(error)", status: response.status)
        }
    }
}
