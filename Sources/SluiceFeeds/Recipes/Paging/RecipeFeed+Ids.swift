// SPDX-License-Identifier: MIT

internal import SluiceModel

// Services that list nothing but ids: each photo is asked for by itself.

extension RecipeFeed {
    /// A page of so many ids from the list, each with what the service says of it.
    func idPage(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        let ids = try await allIDs(token: token)
        let start = min(cursor.flatMap { Int($0.rawValue) } ?? 0, ids.count)
        let end = min(start + size, ids.count)
        var page = Page(number: number, photos: [])
        for id in ids[start..<end] {
            do throws(Failure) {
                try await take(id, into: &page, token: token)
            } catch {
                switch error.cause {
                case .cancelled: throw error
                // Lists are older than what they list.
                case .httpClientError(404): page.notes.append("page \(number): \(id) is listed, and not there")
                default:
                    var photo = Photo(id: id)
                    photo.flaw = error
                    page.photos.append(photo)
                }
            }
        }
        page.total = ids.count
        page.mayBeEmpty = true
        page.next = end < ids.count ? Cursor(rawValue: String(end)) : nil
        return page
    }

    private func take(_ id: String, into page: inout Page, token: Token) async throws(Failure) {
        let record = JSON.object([JSON.Member(name: "id", value: .string(id))])
        guard let path = paging.detail?.text(in: record) else { return }
        let reply = try await client.ask(recipe.base + path, token: token)
        take(List(records: [reply.json]), of: reply, into: &page)
        // Here the id tells the place better than its number.
        if let last = page.photos.last, last.id == "record 1 of page \(page.number)" {
            page.photos[page.photos.count - 1] = .flawed(id, "is listed on page \(page.number), and its record is none")
        }
    }

    /// The ids that the service lists, asked for once in a walk.
    private func allIDs(token: Token) async throws(Failure) -> [String] {
        if let known = ids.withLock({ $0 }) { return known }
        let reply = try await client.ask(firstAddress.text, token: token)
        let found = (paging.path?.values(in: reply.json) ?? []).flatMap { $0.elements ?? [$0] }.compactMap(\.text)
        ids.withLock { $0 = found }
        return found
    }
}
