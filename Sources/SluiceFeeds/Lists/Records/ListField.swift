// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The photo field that a table column or a JSON member holds.
enum ListField: Sendable, Hashable {
    case url, id
    case fact(PhotoField)
    case checksum(Checksum.Algorithm)

    /// Recognises a column name in its common spellings: `image_url`, `Image URL` and `imageURL` are the same.
    init?(columnNamed name: String) {
        guard let field = Self.names[Self.normalized(name)] else { return nil }
        self = field
    }

    /// Ranks an address column; the column with the lowest rank holds the photo's address.
    static func addressRank(of name: String) -> Int? { addressNames.firstIndex(of: normalized(name)) }

    /// Whether a name is that of a picture's address, rather than of any address.
    static func namesPicture(_ name: String) -> Bool {
        addressRank(of: name) != nil && !["url", "link", "href"].contains(normalized(name))
    }

    /// Whether a name is that of several photos, such as `images` or `image_urls`.
    static func namesSeveralPhotos(_ name: String) -> Bool {
        ["images", "photos", "pictures", "imageurls", "photourls", "pictureurls"].contains(normalized(name))
    }

    /// Whether two names are spellings of one, such as `caption` and `Caption`.
    static func areAlike(_ name: String, _ other: String) -> Bool { normalized(name) == normalized(other) }

    /// Returns the name's letters and digits in lower case.
    private static func normalized(_ name: String) -> String {
        // A fast path for ASCII: this runs for every JSON member of every line.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            return name.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        let kept = name.utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.filter {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
        }
        return String(decoding: Array(kept), as: UTF8.self)
    }

    /// The field of `--caption-column`.
    static let caption = ListField.fact(PhotoField.field(\.caption))

    /// The field of tags, which a list may state as a list.
    static let tags = ListField.fact(PhotoField.field(\.tags))

    private static let addressNames = [
        "url", "imageurl", "originalurl", "downloadurl", "fileurl", "contenturl", "mediaurl", "photourl", "image",
        "src",
        "link", "href",
    ]

    private static let names: [String: ListField] = {
        let others: [(ListField, [String])] = [
            (.id, ["id", "key", "identifier", "imageid", "photoid"]),
            (.checksum(.sha256), ["sha256", "hashsha256"]), (.checksum(.sha1), ["sha1", "hashsha1"]),
            (.checksum(.md5), ["md5", "hashmd5"]),
        ]
        let all = others + [(.url, addressNames)] + PhotoField.all.map { (.fact($0), $0.listNames) }
        return [String: ListField](all.flatMap { field, names in names.map { ($0, field) } }) { first, _ in first }
    }()
}

/// Assigns fields to a table's columns, by the user's options or by the column names.
struct ListColumns: Sendable {
    /// The field of each column; `nil` for a column without a manifest field.
    let fields: [ListField?]
    /// The name under which each column without a field is kept; `nil` for the others.
    let others: [String?]
    /// The names of the columns that are ignored though the user did not choose others.
    let unknown: [String]

    /// Reads a header; throws if no column holds addresses, or if a column that the user named does not exist.
    ///
    /// If no column has a usual name for addresses, the values of the first row decide, and `takesSeveral` allows
    /// several columns. Errors begin with the header's `place`. Columns with `unwanted` names are kept only if the user
    /// chose them.
    init(
        _ names: [String], options: ListOptions, firstRow: [String?] = [], place: String = "line 1",
        unwanted: TextSet = [], takesSeveral: Bool = false
    ) throws(Failure) {
        var fields = names.map { ListField(columnNamed: $0) }
        let wanted = [
            (ListField.url, options.urlColumn), (.id, options.idColumn), (.caption, options.captionColumn),
        ]
        for (field, name) in wanted {
            guard let name else { continue }
            let column = try Self.index(of: name, in: names, place)
            fields = fields.map { $0 == field ? nil : $0 }
            fields[column] = field
        }
        if options.urlColumn == nil { Self.keepBestAddress(among: names, in: &fields) }
        if !fields.contains(.url) {
            let values = zip(fields, firstRow).map { $0 == nil ? $1 : nil }
            let pictures = takesSeveral ? Self.pictureColumns(names, values) : []
            for column in pictures { fields[column] = .url }
            if pictures.isEmpty { fields[try Self.addressColumn(names, values, place)] = .url }
        }
        // Of columns such as `caption` and `Caption`, the later ones are kept under their names.
        for column in fields.indices where fields[column] != .url {
            let isRepeated = fields.indices.prefix(column).contains {
                fields[$0] == fields[column] && ListField.areAlike(names[$0], names[column])
            }
            if isRepeated { fields[column] = nil }
        }
        for name in options.keptColumns ?? [] { _ = try Self.index(of: name, in: names, place) }
        var taken: TextSet = []
        others = zip(names, fields).enumerated().map { index, column in
            let (name, field) = column
            guard field == nil, options.keeps(name), options.keptColumns != nil || !unwanted.contains(name)
            else { return nil }
            let key = name.isEmpty ? "column_\(index + 1)" : name
            return taken.insert(key) ? key : nil
        }
        unknown = zip(names, zip(fields, others)).compactMap { name, uses in
            uses.0 == nil && uses.1 == nil && options.keptColumns == nil ? name : nil
        }
        self.fields = fields
    }

    private static func index(of name: String, in names: [String], _ place: String) throws(Failure) -> Int {
        if let index = names.firstIndex(where: { $0 === name }) { return index }
        let all = names.joined(separator: ", ")
        throw Failure(.feedParse, "\(place): no column is named '\(name)'; the columns are \(all)")
    }

    /// Whether no column has a usual name for addresses, nor is one chosen, so that the first row decides.
    static func needsFirstRow(_ names: [String], options: ListOptions) -> Bool {
        options.urlColumn == nil && !names.contains { ListField(columnNamed: $0) == .url }
    }

    /// Returns the only value that is an address, or the only one of a picture, as an index; `nil` if there is none.
    static func onlyAddress(in values: [String?]) -> Int? {
        let addresses = values.indices.filter { values[$0].map { ListAddress.begins($0.trimmed.utf8) } ?? false }
        if addresses.count == 1 { return addresses[0] }
        let pictures = addresses.filter { values[$0].map(PictureName.isPicture) ?? false }
        return pictures.count == 1 ? pictures[0] : nil
    }

    /// Returns the columns with pictures, such as `photo 1` and `photo 2`, by the first row; none if there is only one.
    ///
    /// An empty column belongs to them if its name differs only in the number. Columns with names of renditions show
    /// one picture.
    private static func pictureColumns(_ names: [String], _ values: [String?]) -> [Int] {
        let texts = values.map { $0?.trimmed ?? "" }
        let pictures = texts.indices.filter { ListAddress.begins(texts[$0].utf8) && PictureName.isPicture(texts[$0]) }
        guard !pictures.contains(where: { NestedAddress.isRendition(names[$0]) }) else { return [] }
        let series = pictures.compactMap { withoutNumber(names[$0]) }
        let columns = texts.indices.filter { column in
            pictures.contains(column)
                || texts[column].isEmpty && withoutNumber(names[column]).map(series.contains) ?? false
        }
        return columns.count > 1 ? columns : []
    }

    /// Returns a name without the number at its end; `nil` if it has none.
    private static func withoutNumber(_ name: String) -> String? {
        guard name.last?.isNumber == true else { return nil }
        return String(name.reversed().drop(while: \.isNumber).reversed())
    }

    private static func addressColumn(
        _ names: [String], _ values: [String?], _ place: String
    ) throws(Failure) -> Int {
        if let column = onlyAddress(in: values) { return column }
        let several = zip(names, values).filter { $0.1.map { ListAddress.begins($0.trimmed.utf8) } ?? false }.map(\.0)
        let problem =
            several.isEmpty
            ? "no column is named 'url' or holds addresses; the columns are \(names.joined(separator: ", "))"
            : "several columns hold addresses: \(several.joined(separator: ", "))"
        throw Failure(.feedParse, "\(place): \(problem)", hint: .chooseAddressColumn)
    }

    /// A note that lists ignored columns; `nil` without such columns.
    static func note(_ unknown: [String]) -> String? {
        guard !unknown.isEmpty else { return nil }
        return "ignored columns: \(unknown.joined(separator: ", "))"
    }

    private static func keepBestAddress(among names: [String], in fields: inout [ListField?]) {
        let ranks = names.map(ListField.addressRank)
        guard let best = ranks.compactMap(\.self).min() else { return }
        for (column, rank) in ranks.enumerated() where rank != nil && rank != best { fields[column] = nil }
    }
}
