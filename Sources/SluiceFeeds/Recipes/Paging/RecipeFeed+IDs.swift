// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Paging by ids: the service lists ids only, and each photo needs its own request.
extension RecipeFeed {
    /// Loads a page: a range of the id list, with one request for each id.
    func idPage(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let ids = try await allIDs(token: token)
        let start = min(cursor?.position ?? 0, ids.count)
        let end = min(start + size, ids.count)
        var page = Page(number: number, photos: [])
        for id in ids[start..<end] {
            do throws(Failure) {
                try await addPhoto(id, to: &page, token: token)
            } catch {
                switch error.cause {
                case .cancelled: throw error
                // The list may still have ids of photos that were removed.
                case .httpClientError(404): page.notes.append("page \(number): \(id) is listed but does not exist")
                default:
                    var photo = Photo(id: id)
                    photo.invalidReason = error
                    page.photos.append(photo)
                }
            }
        }
        page.total = ids.count
        page.mayBeEmpty = true
        page.next = end < ids.count ? Cursor(rawValue: String(end)) : nil
        return page
    }

    private func addPhoto(_ id: String, to page: inout Page, token: CancellationToken) async throws(Failure) {
        let record = JSON.object([JSON.Member(name: "id", value: .string(id))])
        guard let path = paging.detail?.text(in: FieldContext(record)) else { return }
        let reply = try await client.load(recipe.base + path, token: token)
        let list = try await following(RecordList(records: [reply.json]), in: reply.json, token: token)
        try addPhotos(of: list, in: reply, to: &page, token: token)
        // Identify an invalid record by its id, because every record would be record 1 here.
        if let last = page.photos.last, last.id.hasPrefix("record 1 of page \(page.number)") {
            page.photos[page.photos.count - 1] = .invalid(id, "of page \(page.number) has an invalid record")
        }
    }

    /// Returns the ids that the service lists; they are requested once.
    private func allIDs(token: CancellationToken) async throws(Failure) -> [String] {
        if let known = ids.withLock({ $0 }) { return known }
        let reply = try await client.load(firstAddress.text, token: token)
        let found = (paging.path?.values(in: reply.json) ?? []).flatMap { $0.elements ?? [$0] }.compactMap(\.text)
        ids.withLock { $0 = found }
        return found
    }
}
