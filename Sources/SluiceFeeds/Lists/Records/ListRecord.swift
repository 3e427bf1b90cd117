// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Collects the fields of one record and makes a photo of them.
struct ListRecord {
    /// The reason of a record without an address.
    static let missingAddress = "missing address"
    /// The name of the only variant of a listed photo.
    static let variant = Variant.original

    private var photo = Photo(id: "")
    private var url: String?
    private var checksum: Checksum?
    /// The columns that are no photo field.
    var others = OtherColumns()
    /// The request headers of the photo.
    var headers: [String] = []

    /// Whether an address is set; it may be invalid.
    var hasAddress: Bool { url != nil }

    /// Sets a field unless the text is empty or the field is already set.
    mutating func set(_ field: ListField, to text: String) throws(InvalidText) {
        guard !text.isEmpty else { return }
        switch field {
        case .url: url = url ?? text
        case .id: if photo.id.isEmpty { photo.id = text }
        case .fact(let field): set(field, to: text)
        case .checksum(let algorithm): try setChecksum(algorithm, text)
        }
    }

    /// Creates the photo; throws if its address is missing or invalid.
    func makePhoto() throws(InvalidText) -> Photo {
        guard let url else { throw InvalidText(Self.missingAddress) }
        if let problem = ListAddress.problem(with: url.utf8) { throw InvalidText(problem) }
        var photo = Self.photo(at: url, photo, checksum)
        photo.columns = others.text
        if !headers.isEmpty { photo.variants[0].headers = headers }
        return photo
    }

    /// Creates the photo of a row whose columns have no names, but for its address and its caption.
    static func photo(
        ofCells cells: [JSON], address: Int, caption: Int?, options: ListOptions
    ) throws(InvalidText) -> Photo {
        var record = ListRecord()
        for (index, cell) in cells.enumerated() {
            if index == address || index == caption {
                try record.set(index == address ? .url : ListField.caption, to: cell.text?.trimmed ?? "")
            } else if options.keeps("column_\(index + 1)") {
                record.others.add("column_\(index + 1)", cell)
            }
        }
        return try record.makePhoto()
    }

    /// Creates the photo at an address, which becomes its id.
    static func photo(at url: String) -> Photo {
        let only = Variant(name: variant, url: url)
        return Photo(id: only.url, variants: [only])
    }

    /// Creates the photos at the other addresses of a record, with its facts and with ids of their own.
    static func photos(like first: Photo, at others: some Sequence<String>) -> [Photo] {
        others.enumerated().map { index, url in
            var photo = first
            photo.variants = [Variant(name: variant, url: url)]
            photo.id = first.id === first.variants[0].url ? photo.variants[0].url : "\(first.id)#\(index + 2)"
            return photo
        }
    }

    /// Creates the photo at an address with the facts of its record; the address becomes its id if it has none.
    private static func photo(at url: String, _ facts: Photo, _ checksum: Checksum?) -> Photo {
        var photo = facts
        var only = Variant(name: variant, url: url)
        only.checksum = checksum
        if photo.id.isEmpty { photo.id = only.url }
        photo.variants = [only]
        return photo
    }

    /// Creates the photo that stands for an invalid record; its id is the line number.
    static func invalid(line: Int, column: Int? = nil, _ reason: String) -> Photo {
        Photo(invalid: "line \(line)", because: "\(InvalidText(reason, line: line, column: column))")
    }

    /// Creates the photo that stands for an invalid row of a Parquet file; its id is the row number.
    static func invalid(row: Int, _ reason: String) -> Photo {
        Photo(invalid: "row \(row)", because: "row \(row): \(reason)")
    }

    private mutating func set(_ field: PhotoField, to text: String) {
        switch field.property {
        case .text(let path):
            guard field.text(of: photo) == nil else { return }
            photo[keyPath: path] = field.kind == .tags ? TagList(text: text).text : text
        case .number(let path):
            guard field.number(of: photo) == nil else { return }
            photo[keyPath: path] = field.kind == .date ? PublishedDate.seconds(of: text) : Int(text)
        }
    }

    private mutating func setChecksum(_ algorithm: Checksum.Algorithm, _ text: String) throws(InvalidText) {
        guard let checksum = Checksum(algorithm, text) else {
            throw InvalidText("invalid \(algorithm): \(text.prefix(80))")
        }
        // SHA-256 replaces a weaker hash.
        if self.checksum == nil || algorithm == .sha256 { self.checksum = checksum }
    }
}
