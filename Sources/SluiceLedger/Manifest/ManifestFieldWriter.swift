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
    /// It passes each field directly, because copying the photo or a list of fields would cost more than writing them.
    mutating func writeFields(of item: Item, _ receipt: Receipt) {
        field("seq", item.seq)
        field("id", item.photo.id)
        field("feed", item.feed)
        field("page", item.page)
        fields(ManifestFields.withKey, of: item.photo)
        field("state", receipt.state.rawValue)
        field("cause", receipt.failure?.cause.name)
        field("url", receipt.url)
        field("final_url", receipt.finalURL ?? receipt.failure?.finalURL)
        field("status", receipt.status ?? receipt.failure?.status)
        field("file", receipt.original?.path)
        field("bytes", receipt.original?.bytes)
        field("sha256", receipt.original?.sha256)
        field("format", receipt.format)
        field("width", receipt.width)
        field("height", receipt.height)
        field("orientation", receipt.orientation)
        field("etag", receipt.etag)
        field("last_modified", receipt.lastModified)
        field("color", receipt.color ?? item.photo.color)
        field("placeholder", receipt.placeholder ?? item.photo.placeholder)
        field("phash", receipt.phash)
        fields(ManifestFields.beforeDetail, of: item.photo)
        field("detail", receipt.failure?.reproducibleDetail)
        thumbs(receipt.thumbs)
        fields(ManifestFields.atEnd, of: item.photo)
        field("usage", receipt.usage)
        object("sidecar", receipt.sidecar.map { JSONColumns.text(of: $0) })
    }

    private mutating func fields(_ fields: [PhotoField], of photo: Photo) {
        for field in fields {
            switch field.property {
            case .text where field.kind == .object: object(field.name, field.text(of: photo))
            case .text: self.field(field.name, field.text(of: photo))
            case .number where field.kind == .date: time(field.name, field.number(of: photo))
            case .number: self.field(field.name, field.number(of: photo))
            }
        }
    }
}

/// The photo's fields in the manifest, by their positions.
private enum ManifestFields {
    static let withKey = PhotoField.all.filter { $0.manifest == .withKey }
    static let beforeDetail = PhotoField.all.filter { $0.manifest == .beforeDetail }
    static let atEnd = PhotoField.all.filter { $0.manifest == .atEnd }
}

extension LedgerEntry {
    /// The receipt; an item that no run has processed counts as skipped with the cause `deferred`.
    var receiptOrDeferred: Receipt { receipt ?? Receipt(.skipped, failure: Failure(.deferred, "")) }
}

extension Failure {
    /// The evidence, if it describes the list, the file, its copy or the blocklist.
    ///
    /// Network errors differ between runs and are omitted, because the manifest must be reproducible.
    fileprivate var reproducibleDetail: String? {
        [.feedParse, .policy, .corrupt, .duplicate, .blocked].contains(cause) && !detail.isEmpty ? detail : nil
    }
}
