// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A format of the manifest that receives the fields in order: a JSON line, a CSV row or a Parquet row.
protocol ManifestFieldWriter: ~Copyable {
    /// Writes a text field, or `nil` if it is missing; scripts depend on the name.
    mutating func field(_ name: String, _ text: String?)
    /// Writes a number field, or `nil` if it is missing.
    mutating func field(_ name: String, _ number: Int?)
    /// Writes a time in seconds since 1970, or `nil` if it is missing.
    mutating func time(_ name: String, _ seconds: Int?)
    /// Writes the text of a JSON object, or `nil` if it is missing.
    mutating func object(_ name: String, _ text: String?)
    /// Writes the thumbnails under the name `thumbs`.
    mutating func thumbs(_ thumbs: [Thumb])
}

extension ManifestFieldWriter where Self: ~Copyable {
    mutating func time(_ name: String, _ seconds: Int?) { field(name, seconds) }
    mutating func object(_ name: String, _ text: String?) { field(name, text) }

    /// Writes all fields of an item.
    ///
    /// It passes each field directly, because copying the photo or a list of values would cost more than writing them.
    mutating func writeFields(of item: Item, _ receipt: Receipt, _ fields: [ManifestField] = ManifestField.all) {
        for field in fields {
            switch field.source {
            case .seq: self.field(field.name, item.seq)
            case .id: self.field(field.name, item.photo.id)
            case .feed: self.field(field.name, item.feed)
            case .page: self.field(field.name, item.page)
            case .photo(let fact): write(fact, of: item.photo)
            case .receipt(let fact, let stated): write(fact, of: receipt, or: stated, of: item.photo, as: field.name)
            }
        }
    }

    private mutating func write(_ fact: PhotoField, of photo: Photo) {
        switch fact.property {
        case .text where fact.kind == .object: object(fact.name, fact.text(of: photo))
        case .text: field(fact.name, fact.text(of: photo))
        case .number where fact.kind == .date: time(fact.name, fact.number(of: photo))
        case .number: field(fact.name, fact.number(of: photo))
        }
    }

    private mutating func write(
        _ fact: ReceiptField, of receipt: Receipt, or stated: PhotoField?, of photo: Photo, as name: String
    ) {
        switch fact.value {
        case .text: field(name, fact.manifestText(of: receipt) ?? stated?.text(of: photo))
        case .number, .side: field(name, fact.number(of: receipt))
        case .object: object(name, fact.text(of: receipt))
        case .thumbs: thumbs(receipt.thumbs)
        }
    }
}

/// A member of a manifest's line, and the fact that it has.
///
/// It is a class because each line visits all fields.
final class ManifestField: Sendable {
    enum Source: Sendable {
        case seq, id, feed, page
        case photo(PhotoField)
        /// A fact of the receipt, or else one that the feed states.
        case receipt(ReceiptField, or: PhotoField?)
    }

    let name: String
    /// The number of the column in CSV files, from 1.
    let column: Int
    let source: Source

    /// All fields, in the order of the columns.
    static let all = fields(of: PhotoField.all, ReceiptField.all)

    /// Derives the fields from the tables.
    static func fields(of photos: [PhotoField], _ receipts: [ReceiptField]) -> [ManifestField] {
        let key: [ManifestField] = [
            ManifestField("seq", 1, .seq), ManifestField("id", 2, .id), ManifestField("feed", 3, .feed),
            ManifestField("page", 4, .page),
        ]
        let stated = photos.compactMap { ManifestField($0.name, $0.manifest, .photo($0)) }
        let recorded = receipts.compactMap { field in
            let other = photos.first { $0.name == field.name && $0.manifest == .ofFileOrFeed }
            return ManifestField(field.name, field.manifest, .receipt(field, or: other))
        }
        return (key + stated + recorded).sorted { $0.column < $1.column }
    }

    private init(_ name: String, _ column: Int, _ source: Source) {
        (self.name, self.column, self.source) = (name, column, source)
    }

    private convenience init?(_ name: String, _ place: ManifestColumn, _ source: Source) {
        guard case .column(let number, let other) = place else { return nil }
        self.init(other ?? name, number, source)
    }
}

extension LedgerEntry {
    /// The receipt; an item that no run has processed counts as skipped with the cause `deferred`.
    var receiptOrDeferred: Receipt { receipt ?? Receipt(.skipped, failure: Failure(.deferred, "")) }
}
