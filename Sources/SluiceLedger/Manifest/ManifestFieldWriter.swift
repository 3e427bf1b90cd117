// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A format of the manifest that receives the fields in order: a JSON line or a CSV row.
protocol ManifestFieldWriter {
    /// Writes a text field, or `nil` if it is missing; scripts depend on the name.
    mutating func field(_ name: String, _ text: String?)
    /// Writes a number field, or `nil` if it is missing.
    mutating func field(_ name: String, _ number: Int?)
}

extension ManifestFieldWriter {
    /// Writes all fields of an item except its thumbnails.
    ///
    /// It passes each field directly, because copying the photo or a list of fields would cost more than writing them.
    mutating func writeFields(of item: Item, _ receipt: Receipt) {
        field("seq", item.seq)
        field("id", item.photo.id)
        field("feed", item.feed)
        field("page", item.page)
        field("collection", item.photo.collection)
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
        field("caption", item.photo.caption)
        field("author", item.photo.author)
        field("author_url", item.photo.authorURL)
        field("page_url", item.photo.pageURL)
        field("license", item.photo.license)
        field("license_url", item.photo.licenseURL)
        field("attribution", item.photo.attribution)
        field("detail", receipt.failure?.reproducibleDetail)
    }
}

extension LedgerEntry {
    /// The receipt; an item that no run has processed counts as skipped with the cause `deferred`.
    var receiptOrDeferred: Receipt { receipt ?? Receipt(.skipped, failure: Failure(.deferred, "")) }
}

extension Failure {
    /// The evidence, if it describes the list or the file.
    ///
    /// Network errors differ between runs and are omitted, because the manifest must be reproducible.
    fileprivate var reproducibleDetail: String? {
        [.feedParse, .policy, .corrupt].contains(cause) && !detail.isEmpty ? detail : nil
    }
}
