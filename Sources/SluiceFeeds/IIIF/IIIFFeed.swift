// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The feed of a IIIF manifest, or of all manifests in a collection and its subcollections; a manifest is one page.
///
/// A cursor is a path of indices from the root: `3.0` is the first member of the root's fourth member. It is short even
/// in a large collection, and a reopened feed loads only the collections along the path.
struct IIIFFeed: Feed {
    /// The maximum nesting of collections.
    private static let maxDepth = 16
    /// The maximum number of consecutive resources without a photo; more are treated as a loop.
    private static let maxEmptyResources = 10_000

    let name = "iiif"
    let defaultVariant = Variant.original
    private let tree: IIIFTree

    init(root: String, transfers: Transfers) {
        tree = IIIFTree(root: root, transfers: transfers)
    }

    /// Reads a saved manifest or collection, whose own address is its id.
    ///
    /// Its members are requested like the addresses of a list: the user named none of their hosts.
    init(saved bytes: [UInt8], at path: String, transfers: Transfers) throws(Failure) {
        let document: IIIFDocument
        do { document = IIIFDocument(json: try JSON(parsing: Array(XMLCleaning.content(of: bytes[...])))) } catch {
            throw Failure(.feedParse, "\(error)")
        }
        tree = IIIFTree(root: document.id ?? path, transfers: transfers, saved: document)
    }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        let steps = cursor?.rawValue.split(separator: ".").map { Int($0)?.within(Quantity.range) } ?? []
        var path = steps.contains(nil) ? nil : steps.compactMap(\.self)
        var count = 0
        // Continue until there is a photo, because an empty page would end the walk.
        while let current = path, page.photos.isEmpty {
            try token.check()
            path = try await addPhotos(at: current, to: &page, token: token)
            count += 1
            guard count < Self.maxEmptyResources else {
                throw Failure(.paginationLoop, "\(count) IIIF resources in a row have no photo")
            }
        }
        page.next = path.map { Cursor(rawValue: $0.map(String.init).joined(separator: ".")) }
        return page
    }

    /// Adds the photos of the resource at a path and returns the next path; `nil` after the last.
    private func addPhotos(
        at path: [Int], to page: inout Page, token: CancellationToken
    ) async throws(Failure) -> [Int]? {
        let addresses: [String]
        do throws(Failure) {
            addresses = try await tree.addresses(along: path, token: token)
        } catch {
            // The root's further pages end the feed; those of another collection become one failed photo.
            guard path.count > 1, error.cause == .crossOriginNext else { throw error }
            page.photos.append(Self.failed(error.detail, error))
            return try await nextPath(after: path, token: token)
        }
        guard let address = addresses.last else { return nil }
        do throws(Failure) {
            switch try await tree.node(at: address, token: token) {
            case .manifest(let photos, let others):
                page.photos += photos
                if others > 0 {
                    let canvases = others == 1 ? "1 canvas" : "\(others) canvases"
                    page.notes.append(
                        "skipped \(canvases) of \(Userinfo.split(address).url) with only sound, video or text")
                }
            case .collection(let members):
                let shown = Userinfo.split(address).url
                if addresses.dropLast().contains(address) {
                    page.notes.append("skipped \(shown), which contains itself")
                } else if path.count >= Self.maxDepth {
                    page.notes.append("skipped \(shown), which is nested more than \(Self.maxDepth) levels deep")
                } else if members.count > 0 {
                    return path + [0]
                }
            }
        } catch {
            // A failure of the root fails the feed. Below the root it becomes one failed photo.
            guard !path.isEmpty, error.cause != .cancelled else { throw error }
            page.photos.append(Self.failed(address, error))
        }
        return try await nextPath(after: path, token: token)
    }

    private static func failed(_ address: String, _ failure: Failure) -> Photo {
        var photo = Photo(id: address)
        photo.invalidReason = failure
        return photo
    }

    /// Returns the next path in depth-first order.
    private func nextPath(after path: [Int], token: CancellationToken) async throws(Failure) -> [Int]? {
        var path = path
        while let last = path.popLast() {
            let addresses = try await tree.addresses(along: path, token: token)
            if let address = addresses.last,
                case .collection(let members) = try await tree.node(at: address, token: token),
                last + 1 < members.count
            {
                return path + [last + 1]
            }
        }
        return nil
    }
}

/// `iiif:` followed by the address of a IIIF manifest or collection.
struct IIIFSource: SingleFeedKind {
    private let address: String

    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("iiif:") else { return nil }
        address = String(text.dropFirst(5))
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else {
            throw SourceError(
                "invalid source '\(text)': iiif: needs the address of a manifest or collection"
            )
        }
    }

    var trustedAddresses: [String] { [address] }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        IIIFFeed(root: address, transfers: transfers)
    }
}
