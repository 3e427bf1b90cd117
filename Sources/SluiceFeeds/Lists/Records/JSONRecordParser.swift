// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Parses one JSON value of a list.
enum JSONRecordParser {
    /// Returns the photo, with an `invalidReason` if the value is invalid; `nil` for a value that describes no photo,
    /// such as gallery-dl's message about a folder.
    static func photo(of text: [UInt8], line: Int, options: ListOptions) -> Photo? {
        do {
            return try photo(of: JSON(parsing: text), options: options)
        } catch let error as JSONError {
            return ListRecord.invalid(line: line + error.line - 1, column: error.column, error.problem)
        } catch let error as ListRecordError {
            return ListRecord.invalid(line: line, error.reason)
        } catch {
            return nil
        }
    }

    /// The names of the members of an object; `nil` for another value.
    static func names(in text: [UInt8]) -> [String]? {
        guard case .object(let members)? = try? JSON(parsing: text) else { return nil }
        return members.map(\.name)
    }

    private static func photo(of json: JSON, options: ListOptions) throws(ListRecordError) -> Photo? {
        switch json {
        case .string(let url):
            var record = ListRecord()
            try record.set(.url, to: url)
            return try record.makePhoto()
        case .object(let members):
            var record = try record(of: members, options: options)
            if let name = options.idColumn, let id = json[name]?.text { try record.set(.id, to: id) }
            return try record.makePhoto()
        case .array(let elements): return try photo(ofMessage: elements)
        default: throw ListRecordError("expected an object or an address")
        }
    }

    /// Parses a message of `gallery-dl -j`.
    ///
    /// `[3, address, facts]` is a file. Messages about versions (1), folders (2) and queues (6) describe no photo.
    private static func photo(ofMessage parts: [JSON]) throws(ListRecordError) -> Photo? {
        guard let kind = parts.first?.integer else { throw ListRecordError("expected an object or an address") }
        switch kind {
        case 1, 2, 6: return nil
        case 3:
            // gallery-dl's ids identify posts, not files, so the address becomes the photo's id.
            let facts: [JSON.Member] = if parts.count > 2, case .object(let members) = parts[2] { members } else { [] }
            var options = ListOptions()
            options.urlColumn = ""
            var record = try record(of: facts.filter { $0.name != "id" }, options: options)
            try record.set(.url, to: parts.count > 1 ? parts[1].text ?? "" : "")
            return try record.makePhoto()
        default:
            let message = parts.dropFirst().first.flatMap { $0["message"]?.text ?? $0.text }
            throw ListRecordError("gallery-dl failed: \(message ?? "no reason given")")
        }
    }

    private static func record(of members: [JSON.Member], options: ListOptions) throws(ListRecordError) -> ListRecord {
        var record = ListRecord()
        var address: (rank: Int, text: String)?
        for member in members {
            guard let text = member.value.text ?? name(in: member.value) else { continue }
            if member.name == options.urlColumn {
                address = (-1, text)
                continue
            }
            if member.name == options.captionColumn {
                try record.set(.caption, to: text)
                continue
            }
            guard let field = ListField(columnNamed: member.name) else { continue }
            if field == .url {
                guard options.urlColumn == nil, let rank = ListField.addressRank(of: member.name) else { continue }
                if rank < address?.rank ?? .max { address = (rank, text) }
            } else if !(field == .id && options.idColumn != nil || field == .caption && options.captionColumn != nil) {
                try record.set(field, to: text)
            }
        }
        if let address {
            try record.set(.url, to: address.text)
        } else if options.urlColumn == nil {
            let values = members.map { ListField(columnNamed: $0.name) == nil ? $0.value.text : nil }
            if let index = ListColumns.onlyAddress(in: values) { try record.set(.url, to: values[index] ?? "") }
        }
        return record
    }

    /// The `name` member of an object, which is how many services describe an author.
    private static func name(in value: JSON) -> String? { value["name"]?.text }
}
