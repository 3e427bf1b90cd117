// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the manifest says of an entry, in the manifest's order; the JSON lines and the table are written from it.
struct ManifestFacts {
    /// One fact's value; `nil` where the fact is missing.
    enum Value {
        case text(String?)
        case number(Int?)
    }

    /// The facts' names, which scripts rely on; the thumbnails follow them.
    static let names = [
        "seq", "id", "feed", "page", "collection", "state", "cause", "url", "final_url", "status", "file", "bytes",
        "sha256", "format", "width", "height", "orientation", "etag", "last_modified", "color", "placeholder", "phash",
        "caption", "author", "author_url", "page_url", "license", "license_url", "attribution", "detail",
    ]

    /// The values, one for each name.
    let values: [Value]
    let thumbs: [Thumb]

    init(_ entry: Entry) {
        // Each fact is taken from where it is: a copy of the whole photo would cost more than its line.
        // An item that the run did not come to is left for the next one.
        let receipt = entry.receipt ?? Receipt(.skipped, failure: Failure(.deferred, ""))
        thumbs = receipt.thumbs
        values = [
            .number(entry.item.seq), .text(entry.item.photo.id), .text(entry.item.feed), .number(entry.item.page),
            .text(entry.item.photo.collection), .text(receipt.state.rawValue), .text(receipt.failure?.cause.name),
            .text(receipt.url), .text(receipt.finalURL ?? receipt.failure?.finalURL),
            .number(receipt.status ?? receipt.failure?.status), .text(receipt.original?.path),
            .number(receipt.original?.bytes), .text(receipt.original?.sha256), .text(receipt.format),
            .number(receipt.width), .number(receipt.height), .number(receipt.orientation), .text(receipt.etag),
            .text(receipt.lastModified), .text(receipt.color ?? entry.item.photo.color),
            .text(receipt.placeholder ?? entry.item.photo.placeholder), .text(receipt.phash),
            .text(entry.item.photo.caption), .text(entry.item.photo.author), .text(entry.item.photo.authorURL),
            .text(entry.item.photo.pageURL), .text(entry.item.photo.license), .text(entry.item.photo.licenseURL),
            .text(entry.item.photo.attribution), .text(receipt.failure?.lastingDetail),
        ]
    }
}

extension Failure {
    /// The evidence, where it is of the list or the file itself: what the network says differs from run to run, and the
    /// manifest does not.
    fileprivate var lastingDetail: String? {
        [.feedParse, .policy, .corrupt].contains(cause) && !detail.isEmpty ? detail : nil
    }
}
