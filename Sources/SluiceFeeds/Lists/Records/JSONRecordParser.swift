// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Parses one JSON value of a list.
enum JSONRecordParser {
    /// Returns the photos of a value, several if its addresses are in an array.
    ///
    /// If the value is invalid, they are one photo with an `invalidReason`. A value that describes no photo, such as
    /// gallery-dl's message about a folder, has none.
    static func photos(of text: [UInt8], line: Int, options: ListOptions) -> [Photo] {
        do {
            return try photos(of: LenientJSON.record(text), options: options)
        } catch {
            let error = error.inText(fromLine: line)
            return [ListRecord.invalid(line: error.line ?? line, column: error.column, error.problem)]
        }
    }

    /// Returns the photos of a parsed value.
    static func photos(of json: JSON, options: ListOptions) throws(InvalidText) -> [Photo] {
        guard case .object(let members) = json else {
            return try photo(of: json, options: options).map { [$0] } ?? []
        }
        let record = try record(of: members, options: options)
        guard !record.hasAddress else {
            let photo = try record.makePhoto()
            let others = options.urlColumn == nil ? NestedAddress.others(in: json, besides: photo) : []
            // The address of a record with several pictures is that of its page, if its name does not say otherwise.
            let url = photo.variants[0].url
            let isNamed = members.contains { ListField.namesPicture($0.name) && $0.value.text === url }
            guard let first = others.first, !isNamed, !PictureName.isPicture(url) else {
                return [photo] + ListRecord.photos(like: photo, at: others)
            }
            let address = NestedAddress.picture(in: members) ?? first
            let own = try self.photo(of: members, options: options, address: address)
            return [own] + ListRecord.photos(like: own, at: NestedAddress.others(in: json, besides: own))
        }
        var value = json
        for name in options.urlColumn?.split(separator: ".") ?? [] { value = value[String(name)] ?? .null }
        let urls = JSONRecords.photos(in: value, options: ListOptions()).compactMap(\.variants.first?.url)
        guard let first = urls.first, let photo = try? photo(of: members, options: options, address: first) else {
            return [try record.makePhoto()]
        }
        return [photo] + ListRecord.photos(like: photo, at: urls.dropFirst())
    }

    /// The names of the members of an object; `nil` for another value.
    static func names(in text: [UInt8]) -> [String]? {
        guard case .object(let members)? = try? LenientJSON.record(text) else { return nil }
        return members.map(\.name)
    }

    /// Returns the photo of a value that is no object.
    private static func photo(of json: JSON, options: ListOptions) throws(InvalidText) -> Photo? {
        switch json {
        case .string(let url):
            var record = ListRecord()
            try record.set(.url, to: url)
            return try record.makePhoto()
        case .array(let elements): return try photo(ofMessage: elements, options: options)
        default: throw InvalidText("expected an object or an address")
        }
    }

    /// Parses a message of `gallery-dl -j`.
    ///
    /// `[3, address, facts]` is a file. Messages about versions (1), folders (2) and queues (6) describe no photo.
    private static func photo(ofMessage parts: [JSON], options: ListOptions) throws(InvalidText) -> Photo? {
        guard let kind = parts.first?.integer else {
            guard let address = ListColumns.onlyAddress(in: parts.map(\.text)) else {
                throw InvalidText("expected an object or an address")
            }
            let caption = parts.indices.first { index in
                if case .string = parts[index] { index != address } else { false }
            }
            return try ListRecord.photo(ofCells: parts, address: address, caption: caption, options: options)
        }
        switch kind {
        case 1, 2, 6: return nil
        case 3:
            // gallery-dl's ids identify posts, not files, so the address becomes the photo's id.
            let facts: [JSON.Member] = if parts.count > 2, case .object(let members) = parts[2] { members } else { [] }
            var own = ListOptions()
            (own.urlColumn, own.keptColumns, own.readsHeaders) = ("", options.keptColumns, options.readsHeaders)
            var record = try record(of: facts.filter { $0.name != "id" }, options: own)
            try record.set(.url, to: parts.count > 1 ? parts[1].text ?? "" : "")
            return try record.makePhoto()
        default:
            let message = parts.dropFirst().first.flatMap { $0["message"]?.text ?? $0.text }
            throw InvalidText("gallery-dl failed: \(message ?? "no reason given")")
        }
    }

    /// Returns the photo of a record in a document, whose address may be known.
    static func photo(
        of members: [JSON.Member], options: ListOptions, address: String? = nil
    ) throws(InvalidText) -> Photo {
        try record(of: members, options: options, address: address).makePhoto()
    }

    /// Collects the fields of a record; `given` is its address, if it is known.
    private static func record(
        of members: [JSON.Member], options: ListOptions, address given: String? = nil
    ) throws(InvalidText) -> ListRecord {
        var record = ListRecord()
        if let given { try record.set(.url, to: given) }
        var address: (rank: Int, index: Int, text: String)?
        var isOther = Array(repeating: true, count: members.count)
        for (index, member) in members.enumerated() {
            if member.name == RequestHeaders.member, options.readsHeaders {
                record.headers = try RequestHeaders.parse(member.value)
                continue
            }
            guard let field = field(of: member, options), let text = text(of: member.value, for: field)
            else { continue }
            if field == .url {
                let rank = member.name == options.urlColumn ? -1 : ListField.addressRank(of: member.name) ?? .max
                guard rank < address?.rank ?? .max else { continue }
                address = (rank, index, text)
            } else {
                try record.set(field, to: text)
                isOther[index] = false
            }
        }
        if address == nil, options.urlColumn == nil {
            let values = members.map { member in
                let isOther = ListField(columnNamed: member.name) == nil && !RelativeAddresses.isBase(member.name)
                return isOther ? member.value.text : nil
            }
            address = ListColumns.onlyAddress(in: values).map { (0, $0, values[$0] ?? "") }
        }
        if let address {
            try record.set(.url, to: address.text)
            isOther[address.index] = false
        } else if let path = options.urlColumn {
            try record.set(.url, to: NestedAddress.text(at: path, in: members) ?? "")
        } else if given == nil, let nested = NestedAddress.picture(in: members) {
            try record.set(.url, to: nested)
        }
        // Members such as `_http_headers` of gallery-dl are instructions for downloads.
        for (member, isOther) in zip(members, isOther)
        where isOther && options.keeps(member.name) && !member.name.hasPrefix("_") {
            record.others.add(member.name, member.value)
        }
        return record
    }

    /// The field that a member holds, by the user's choice or by its name.
    private static func field(of member: JSON.Member, _ options: ListOptions) -> ListField? {
        if let name = options.urlColumn, name === member.name { return .url }
        if let name = options.captionColumn, name === member.name { return .caption }
        if let name = options.idColumn, name === member.name { return .id }
        let field = ListField(columnNamed: member.name)
        let isChosen =
            switch field {
            case .url: options.urlColumn != nil
            case .id: options.idColumn != nil
            default: field == .caption && options.captionColumn != nil
            }
        return isChosen ? nil : field
    }

    /// The text of a field's value; the tags of a list are put together.
    static func text(of value: JSON, for field: ListField) -> String? {
        if field == .tags, let elements = value.elements {
            return TagList(elements.compactMap { $0.text ?? name(in: $0) }).text
        }
        return value.text ?? name(in: value)
    }

    /// The `name` member of an object, which is how many services describe an author.
    private static func name(in value: JSON) -> String? { value["name"]?.text }
}
