// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceFeeds

/// A list that a test wrote down, read as the command reads it.
struct Listing {
    /// All photos of a list with these bytes, with the notes, page by page to its end.
    static func read(
        _ bytes: some Collection<UInt8>, urlColumn: String? = nil, idColumn: String? = nil
    ) async throws -> (photos: [Photo], notes: [String], pages: Int) {
        let list = try TemporaryList(bytes)
        var options = ListOptions()
        options.urlColumn = urlColumn
        options.idColumn = idColumn
        return try await read(path: list.path, options: options)
    }

    static func read(_ text: String) async throws -> [Photo] { try await read(text.utf8).photos }

    static func read(
        path: String, options: ListOptions = ListOptions()
    ) async throws -> (photos: [Photo], notes: [String], pages: Int) {
        var walk = Walk(ListFeed(path, options: options))
        var (photos, notes, pages): ([Photo], [String], Int) = ([], [], 0)
        while let page = try await walk.nextPage(token: Token()) {
            photos += page.photos
            notes += page.notes
            pages = page.number
        }
        return (photos, notes, pages)
    }
}

extension Photo {
    /// The one address of a list's photo.
    var address: String? { variants.first?.url }
}
