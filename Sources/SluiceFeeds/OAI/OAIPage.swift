// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A parsed reply of an OAI-PMH 2.0 repository to `ListRecords` or `GetRecord`.
struct OAIPage {
    private let records: [XMLElement]
    private let token: XMLElement?
    /// Whether the repository has no record for the request.
    private let hasNoMatch: Bool
    /// The syntax error of a reply that could be read only in part; `nil` for a whole one.
    private let damage: String?

    /// Parses a reply; throws if it is none, or if the repository reports an error.
    init(_ bytes: [UInt8], token: CancellationToken) throws(Failure) {
        guard ReplyKind(type: nil, name: "", bytes: bytes) == .oai else {
            throw Failure(.feedParse, "this is not a reply of an OAI-PMH repository")
        }
        let root: XMLElement
        do throws(Failure) {
            root = try XMLDocument.root(of: bytes, token: token)
        } catch {
            guard XMLDocument.isHarmless(error), let part = try? XMLDocument.readablePart(of: bytes, token: token)
            else {
                try token.check()
                throw error
            }
            // Where an end tag is missing, records are inside other elements.
            records = part.subtree.filter { $0.name == "record" && $0.first("header") != nil }
            self.token = part.subtree.first { $0.name == "resumptionToken" }
            (hasNoMatch, damage) = (false, error.detail)
            guard !records.isEmpty else { throw error }
            return
        }
        damage = nil
        let errors = root.all("error")
        hasNoMatch = errors.contains { $0["code"] == "noRecordsMatch" }
        if let error = errors.first, !hasNoMatch {
            let code = error["code"] ?? "error"
            throw Failure(.unexpectedStatus, error.text.map { "\($0) (\(code))" } ?? code, status: 200)
        }
        let list = root.first("ListRecords") ?? root.first("GetRecord")
        guard let list = list ?? (hasNoMatch ? root : nil) else {
            throw Failure(.feedParse, "the reply has neither records nor an error")
        }
        records = list.all("record")
        self.token = list.first("resumptionToken")
    }

    /// Returns the photos in document order, with a note about records without a picture.
    func page(_ number: Int, token: CancellationToken) throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        var (deleted, withoutPicture) = (0, 0)
        for element in records {
            try token.check()
            let record = OAIRecord(element)
            if record.isDeleted {
                deleted += 1
                continue
            }
            let photos = record.photos()
            if photos.isEmpty { withoutPicture += 1 }
            page.photos += photos
        }
        if withoutPicture > 0 {
            page.notes.append("page \(number): \(withoutPicture) of \(records.count) records have no picture")
        }
        if deleted > 0 { page.notes.append("page \(number): \(deleted) of \(records.count) records are deleted") }
        if let damage {
            page.notes.append("page \(number) is not well-formed, so records may be missing (\(damage))")
        }
        if hasNoMatch { page.notes.append("the repository has no record that matches the request") }
        // The last page of a list has an empty token.
        page.next = self.token?.text.map { Cursor(rawValue: $0) }
        page.mayBeEmpty = page.next != nil
        return page
    }
}
