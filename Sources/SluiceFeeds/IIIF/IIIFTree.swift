// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Reads manifests and collections, and remembers the collections.
final class IIIFTree: Sendable {
    /// How many pages a collection may come in, and how many members it may have.
    private static let mostPages = 1000
    private static let mostMembers = 100_000

    /// What an address leads to.
    enum Node {
        case manifest([Photo])
        case collection([String])
    }

    private let root: String
    private let transfers: Transfers
    private let headers: [String]
    private let collections = Locked<[String: [String]]>([:])

    /// Describes the tree below `root`, to whose host alone the headers are sent.
    init(root: String, transfers: Transfers, headers: [String]) {
        self.root = root
        self.transfers = transfers
        self.headers = headers
    }

    /// What an address leads to; collections are fetched once.
    func node(at address: String, token: Token) async throws(Failure) -> Node {
        if let known = collections.withLock({ $0[address] }) { return .collection(known) }
        let document = try await fetch(address, token: token)
        switch document.type {
        case "Manifest": return .manifest(try await photos(of: document, token: token))
        case "Collection":
            let members = try await members(of: document, at: address, token: token)
            collections.withLock { $0[address] = members }
            return .collection(members)
        default: throw Failure(.feedParse, "\(address) is neither a manifest nor a collection")
        }
    }

    /// A manifest's photos; annotation pages that lie elsewhere are fetched, and one that cannot be had is its canvas's
    /// trouble alone.
    private func photos(of document: IIIFDocument, token: Token) async throws(Failure) -> [Photo] {
        var manifest = IIIFManifest(document)
        for address in manifest.absentPages {
            do throws(Failure) {
                manifest.add(.success(try await fetch(address, token: token)), at: address)
            } catch {
                guard error.cause != .cancelled else { throw error }
                manifest.add(.failure(error), at: address)
            }
        }
        return manifest.photos
    }

    /// The addresses from the root to a place; none where the tree has changed and has no such place any more.
    func way(to place: [Int], token: Token) async throws(Failure) -> [String] {
        var way = [root]
        for index in place {
            guard case .collection(let members) = try await node(at: way[way.count - 1], token: token),
                members.indices.contains(index)
            else { return [] }
            way.append(members[index])
        }
        return way
    }

    /// The members of a collection, each once, over all the pages that it comes in.
    private func members(
        of document: IIIFDocument, at address: String, token: Token
    ) async throws(Failure) -> [String] {
        var part = IIIFCollection(document)
        var members = part.members
        var seen: Set<String> = [address]
        while let next = part.next {
            guard seen.insert(next).inserted, seen.count <= Self.mostPages else {
                throw Failure(.paginationLoop, "page \(seen.count + 1) of \(address) is \(next)")
            }
            guard let here = WebAddress(address), WebAddress(next)?.hasOrigin(of: here) == true else {
                throw Failure(.crossOriginNext, next)
            }
            part = IIIFCollection(try await fetch(next, token: token))
            members += part.members
            guard members.count <= Self.mostMembers else {
                throw Failure(.feedParse, "\(address) has more than \(Self.mostMembers) members")
            }
        }
        var once: Set<String> = []
        return members.filter { once.insert($0).inserted }
    }

    private func fetch(_ address: String, token: Token) async throws(Failure) -> IIIFDocument {
        var request = Request(address, limit: 16 << 20, timeout: .seconds(60))
        request.acceptsCompression = true
        // Members may be other people's: what is said to the root's host is said to nobody else.
        if let home = WebAddress(root), WebAddress(address)?.hasOrigin(of: home) == true { request.headers = headers }
        let response = try await transfers.fetch(request, token: token)
        do {
            return IIIFDocument(json: try JSON(parsing: response.body))
        } catch {
            throw Failure(.feedParse, "\(error)", status: response.status)
        }
    }
}
