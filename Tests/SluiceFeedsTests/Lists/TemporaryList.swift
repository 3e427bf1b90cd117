// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport

@testable import SluiceFeeds

/// A list file in its own temporary folder, which is deleted with it.
final class TemporaryList {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: some Collection<UInt8>, named name: String = "list") throws {
        folder = try TemporaryFolder()
        path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
    }

    convenience init(_ text: String, named name: String = "list") throws { try self.init(text.utf8, named: name) }

    /// The photos of a list with this text.
    static func read(_ text: String) async throws -> [Photo] { try await read(text.utf8).photos }

    /// Reads all pages of a list with these bytes, as the command does.
    static func read(
        _ bytes: some Collection<UInt8>, urlColumn: String? = nil, idColumn: String? = nil, captionColumn: String? = nil
    ) async throws -> (photos: [Photo], notes: [String], pages: Int) {
        let list = try TemporaryList(bytes)
        var options = ListOptions()
        options.urlColumn = urlColumn
        options.idColumn = idColumn
        options.captionColumn = captionColumn
        options.readsHeaders = true
        var walker = PageWalker(ListFeed(list.path, options: options))
        var (photos, notes, pages): ([Photo], [String], Int) = ([], [], 0)
        while let page = try await walker.nextPage(token: CancellationToken()) {
            photos += page.photos
            notes += page.notes
            pages = page.number
        }
        return (photos, notes, pages)
    }
}

extension Photo {
    /// The address of a listed photo's only variant.
    var address: String? { variants.first?.url }
}
