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

    /// The cursor of the next page; the last page of a list has an empty token.
    var next: Cursor? { token?.text.map { Cursor(rawValue: $0) } }

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

    /// Throws the repository's error, unless it only has no record for the request.
    func checkError() throws(Failure) {
        guard let error, !hasNoMatch else { return }
        let detail = error.text.map { "\($0) (\(error.code))" } ?? error.code
        throw Failure(.unexpectedStatus, detail, status: 200)
    }

    /// A IIIF manifest with the pictures of a record that has none itself.
    struct Manifest {
        let address: String
        /// The position of its photos in the page.
        let position: Int
        /// The facts of the record.
        let record: Photo
    }

    /// Returns the photos in document order, with a note about records without a picture; throws the repository's
    /// error.
    ///
    /// Adds the manifests of records without a picture to `manifests`.
    func page(_ number: Int, manifests: inout [Manifest], token: CancellationToken) throws(Failure) -> Page {
        try checkError()
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
            if photos.isEmpty, let address = record.manifest {
                let position = page.photos.count
                manifests.append(Manifest(address: address, position: position, record: record.described()))
            } else if photos.isEmpty {
                withoutPicture += 1
            }
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
        page.next = next
        page.mayBeEmpty = page.next != nil
        return page
    }
}
