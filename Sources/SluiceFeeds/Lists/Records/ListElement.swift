// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One JSON value of a list: what it says of a photo.
enum ListElement {
    /// The photo, or a flawed one; `nil` for what speaks of no photo: gallery-dl's messages about folders, say.
    static func photo(of text: [UInt8], line: Int, options: ListOptions) -> Photo? {
        do {
            return try photo(of: JSON(parsing: text), options: options)
        } catch let error as JSONError {
            return ListRecord.flawed(line: line + error.line - 1, column: error.column, error.problem)
        } catch let flaw as ListFlaw {
            return ListRecord.flawed(line: line, flaw.reason)
        } catch {
            return nil
        }
    }

    private static func photo(of json: JSON, options: ListOptions) throws(ListFlaw) -> Photo? {
        switch json {
        case .string(let url):
            var record = ListRecord()
            try record.set(.url, to: url)
            return try record.finished()
        case .object(let members):
            var record = try record(of: members, options: options)
            if let name = options.idColumn, let id = json[name]?.text { try record.set(.id, to: id) }
            return try record.finished()
        case .array(let elements): return try photo(ofMessage: elements)
        default: throw ListFlaw("neither an object nor an address")
        }
    }

    /// What gallery-dl says in `-j`: `[3, address, facts]` is a file; folders (2), queues (6) and versions (1) are none.
    private static func photo(ofMessage parts: [JSON]) throws(ListFlaw) -> Photo? {
        guard let kind = parts.first?.integer else { throw ListFlaw("neither an object nor an address") }
        switch kind {
        case 1, 2, 6: return nil
        case 3:
            // Its ids count posts, not files, so that the address has to be the photo's name.
            let facts: [JSON.Member] = if parts.count > 2, case .object(let members) = parts[2] { members } else { [] }
            var known = ListOptions()
            known.urlColumn = ""
            var record = try record(of: facts.filter { $0.name != "id" }, options: known)
            try record.set(.url, to: parts.count > 1 ? parts[1].text ?? "" : "")
            return try record.finished()
        default:
            let words = parts.dropFirst().first.flatMap { $0["message"]?.text ?? $0.text }
            throw ListFlaw("gallery-dl failed: \(words ?? "no reason given")")
        }
    }

    private static func record(of members: [JSON.Member], options: ListOptions) throws(ListFlaw) -> ListRecord {
        var record = ListRecord()
        var address: (rank: Int, text: String)?
        for member in members {
            guard let text = member.value.text ?? name(in: member.value) else { continue }
            if member.name == options.urlColumn {
                address = (-1, text)
                continue
            }
            guard let field = ListField(columnNamed: member.name) else { continue }
            if field == .url {
                guard options.urlColumn == nil, let rank = ListField.addressRank(of: member.name) else { continue }
                if rank < address?.rank ?? .max { address = (rank, text) }
            } else if field != .id || options.idColumn == nil {
                try record.set(field, to: text)
            }
        }
        if let address { try record.set(.url, to: address.text) }
        return record
    }

    /// What an object is called: many services say who made a photo so.
    private static func name(in value: JSON) -> String? { value["name"]?.text }
}
