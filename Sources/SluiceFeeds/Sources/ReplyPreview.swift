// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel
internal import SluiceTransfer

/// What a recipe makes of a saved reply, without a request to the service.
package struct ReplyPreview: Sendable {
    /// The listing that read the reply.
    package var listing = ""
    /// The number of records in the reply.
    package var records = 0
    /// The photos, including invalid ones.
    package var photos: [Photo] = []
    /// The names of the facts, with the number of photos that have each.
    package var facts: [(name: String, count: Int)] = []
    /// The names of the variants, with the number of photos that have each.
    package var variants: [(name: String, count: Int)] = []
    /// The address of the next page; `nil` if there is none.
    package var next: String?
    /// The total number of photos that the reply states.
    package var total: Int?
    /// The notes that a run would print.
    package var notes: [String] = []
}

extension Source {
    /// Reads a saved reply with a recipe: the name of a service or the path of a recipe, with a listing after a colon.
    ///
    /// The file has the reply's body, or an object with the members `body`, `status` and `headers`.
    package static func preview(ofReplyAt path: String, with recipe: String) throws(SourceError) -> ReplyPreview {
        let source = try RecipeSource(forPreview: recipe)
        guard let bytes = try ReplyFile.read(path) else {
            throw SourceError("cannot read reply '\(path)': no such file, or it is larger than 16 MiB")
        }
        do throws(Failure) {
            return try source.preview(of: try ReplyFile.reply(bytes, to: source.recipe))
        } catch {
            throw SourceError("cannot read reply '\(path)' with \(source.recipe.name): \(error)")
        }
    }
}

private enum ReplyFile {
    private static let limit = 16 << 20

    static func read(_ path: String) throws(SourceError) -> [UInt8]? {
        do throws(FileError) {
            let file = try OpenFile.reading(path, followsLink: true)
            return try file.size <= limit ? try file.read(at: 0, count: limit) : nil
        } catch {
            if error.isMissing { return nil }
            throw SourceError("cannot read reply '\(path)': \(error.reason)")
        }
    }

    /// Makes the reply of a file, and checks it for an error of the service.
    static func reply(_ bytes: [UInt8], to recipe: Recipe) throws(Failure) -> RecipeClient.Reply {
        var (headers, status, body) = (HeaderFields(), 200, bytes)
        var json: JSON
        do { json = try JSON(parsing: bytes) } catch { throw Failure(.feedParse, "\(error)") }
        if let text = json["body"]?.text, let stated = json["status"]?.integer {
            (status, body) = (stated, Array(text.utf8))
            if case .object(let members)? = json["headers"] {
                for member in members { headers.add(line: "\(member.name): \(member.value.text ?? "")") }
            }
            // The reply of an error may be plain text.
            do { json = try JSON(parsing: body) } catch {
                throw Failure(
                    Cause(status: status) ?? .feedParse, Cause(status: status) == nil ? "\(error)" : text,
                    status: status)
            }
        }
        if let cause = Cause(status: status) {
            throw Failure(cause, recipe.errors.message(in: json) ?? json.text ?? "", status: status)
        }
        try recipe.errors.check(json)
        let response = Response(
            status: status, url: recipe.base, headers: headers, body: body, bytes: body.count, sha256: "")
        return RecipeClient.Reply(json: json, response: response)
    }
}

extension RecipeSource {
    fileprivate func preview(of reply: RecipeClient.Reply) throws(Failure) -> ReplyPreview {
        let transfers = Transfers(TransferOptions(userAgent: "Sluice"))
        let feed = feed(through: transfers, options: FeedOptions(), access: nil)
        var preview = ReplyPreview()
        let page = try feed.preview(of: reply, records: &preview.records)
        preview.listing = feed.listing.name
        (preview.photos, preview.total, preview.notes) = (page.photos, page.total, page.notes)
        preview.next = page.next?.rawValue
        preview.facts = PhotoField.all.filter(\.isStatedByRecipes).map { field in
            (field.name, page.photos.count { $0.invalidReason == nil && field.isPresent(in: $0) })
        }
        preview.variants = recipe.photo.variantNames.map { name in
            (name, page.photos.count { $0.variants.contains { $0.name == name } })
        }
        return preview
    }
}

extension PhotoField {
    fileprivate func isPresent(in photo: Photo) -> Bool {
        switch property {
        case .text(let path): photo[keyPath: path] != nil
        case .number(let path): photo[keyPath: path] != nil
        }
    }
}

extension RecipeFeed {
    /// Makes the page of a saved reply; for paging by ids, the reply to the request of one id.
    fileprivate func preview(of reply: RecipeClient.Reply, records count: inout Int) throws(Failure) -> Page {
        let token = CancellationToken()
        guard paging.method == .ids else {
            count = try recipe.hasCollections ? 0 : records(in: reply).count
            let lists = try lists(in: reply)
            var page = try page(1, of: reply, lists, at: firstAddress.text, token: token)
            page.notes += lists.first.flatMap { unfollowedNote(of: $0, in: reply.json) }.map { [$0] } ?? []
            return page
        }
        var page = Page(number: 1, photos: [])
        if let ids = paging.path?.values(in: reply.json), !ids.isEmpty {
            count = ids.flatMap { $0.elements ?? [$0] }.count
            page.notes.append("the reply lists ids only; save the reply for one of them, too")
            return page
        }
        count = 1
        try addPhotos(of: RecordList(records: [reply.json]), in: reply, to: &page, token: token)
        return page
    }
}
