// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The links of a record to further objects of the service, whose replies become members of the record.
///
/// Museums that publish linked data state a picture several objects away from the one that a search finds.
struct RecordLinks: Sendable {
    /// The maximum number of replies to one link of a record.
    static let maxReplies = 100

    /// The members that links add to records, with the facts that are their addresses.
    let links: [(name: String, address: FieldRule)]

    /// Reads the member `follow`; `nil` if it is missing.
    init?(_ node: RecipeNode) {
        guard let follow = node["follow"] else { return nil }
        guard case .object = follow.json else {
            follow.report("expected an object of names and addresses")
            return nil
        }
        links = follow.children.map { ($0.name, FieldRule($0.node)) }
    }

    /// Returns the addresses of a link: those that begin with a slash are below the service's base address.
    static func addresses(of rule: FieldRule, in record: JSON, of reply: JSON, below base: String) -> [String] {
        var seen: TextSet = []
        let all = rule.texts(in: FieldContext(record, of: reply)).map { $0.hasPrefix("/") ? base + $0 : $0 }
        return Array(all.filter { seen.insert($0) }.prefix(maxReplies))
    }
}

extension RecipeFeed {
    /// The links of the listing's records; `nil` for none.
    private var links: RecordLinks? { listing.links ?? recipe.links }

    /// Loads what the records of a list link to.
    func following(_ list: RecordList, in reply: JSON, token: CancellationToken) async throws(Failure) -> RecordList {
        guard let links else { return list }
        var list = list
        for index in list.records.indices {
            try token.check()
            guard case .object(var members) = list.records[index] else { continue }
            do throws(Failure) {
                for (name, rule) in links.links {
                    let record = JSON.object(members)
                    let replies = try await self.replies(to: rule, in: record, of: reply, token: token)
                    members.append(JSON.Member(name: name, value: .array(replies)))
                }
                list.records[index] = .object(members)
            } catch {
                guard error.cause != .cancelled else { throw error }
                list.failures[index] = error
            }
        }
        return list
    }

    private func replies(
        to rule: FieldRule, in record: JSON, of reply: JSON, token: CancellationToken
    ) async throws(Failure) -> [JSON] {
        var replies: [JSON] = []
        for address in RecordLinks.addresses(of: rule, in: record, of: reply, below: recipe.base) {
            // The request may carry a key and the user's headers.
            guard let web = WebAddress(address), let base = WebAddress(recipe.base), web.hasOrigin(of: base) else {
                throw Failure(.feedParse, "the link to \(address) leaves the service")
            }
            do throws(Failure) {
                replies.append(try await client.load(web.text, token: token).json)
            } catch {
                // A listing may still have objects whose parts were removed.
                guard error.cause == .httpClientError(404) else { throw error }
            }
        }
        return replies
    }

    /// The note of a saved reply, which lacks the replies to its links; `nil` if records have none.
    func unfollowedNote(of list: RecordList, in reply: JSON) -> String? {
        guard let link = links?.links.first, let record = list.records.first else { return nil }
        let address = RecordLinks.addresses(of: link.address, in: record, of: reply, below: recipe.base).first
        return "a run requests the links of each record, here \(link.name) at \(address ?? "no address")"
    }
}
