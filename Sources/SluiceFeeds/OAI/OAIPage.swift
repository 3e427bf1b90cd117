// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A parsed reply of an OAI-PMH 2.0 repository to `ListRecords` or `GetRecord`, or a METS document, which is one
/// record.
struct OAIPage {
    private let records: [XMLElement]
    private let token: XMLElement?
    /// The code of the error that the repository reports, and its words; `nil` for none.
    private let error: (code: String, text: String?)?
    /// The syntax error of a reply that could be read only in part; `nil` for a whole one.
    private let damage: String?

    /// Whether the repository has no record for the request.
    private var hasNoMatch: Bool { error?.code == "noRecordsMatch" }

    /// Whether the repository does not know the resumption token, or no longer.
    var hasInvalidToken: Bool { error?.code == "badResumptionToken" }

    /// Parses a reply; throws if it is none.
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
            (self.error, damage) = (nil, error.detail)
            guard !records.isEmpty else { throw error }
            return
        }
        damage = nil
        guard root.name != METSFiles.root else {
            (records, self.token, error) = ([root], nil, nil)
            return
        }
        let errors = root.all("error")
        let known = errors.first { ["noRecordsMatch", "badResumptionToken"].contains($0["code"]) }
        error = (known ?? errors.first).map { ($0["code"] ?? "error", $0.text) }
        guard let list = error == nil ? root.first("ListRecords") ?? root.first("GetRecord") : root else {
            throw Failure(.feedParse, "the reply has neither records nor an error")
        }
        records = list.all("record")
        self.token = list.first("resumptionToken")
    }

    /// Returns the photos in document order, with a note about records without a picture; throws the repository's
    /// error.
    func page(_ number: Int, token: CancellationToken) throws(Failure) -> Page {
        if let error, !hasNoMatch {
            let detail = error.text.map { "\($0) (\(error.code))" } ?? error.code
            throw Failure(.unexpectedStatus, detail, status: 200)
        }
        var page = Page(number: number, photos: [])
        var (deleted, withoutPicture) = (0, 0)
        var manifests: [String] = []
        for element in records {
            try token.check()
            let record = OAIRecord(element)
            if record.isDeleted {
                deleted += 1
                continue
            }
            let photos = record.photos()
            if photos.isEmpty {
                withoutPicture += 1
                manifests += record.manifest.map { [$0] } ?? []
            }
            page.photos += photos
        }
        if withoutPicture > 0 {
            page.notes.append("page \(number): \(withoutPicture) of \(records.count) records have no picture")
        }
        if let manifest = manifests.first {
            page.notes.append(
                "page \(number): \(manifests.count) of them name a IIIF manifest, which 'iiif:URL' reads, e.g. iiif:\(manifest)"
            )
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
