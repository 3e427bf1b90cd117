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
        "caption", "author", "author_url", "page_url", "license", "license_url", "attribution",
    ]

    /// The values, one for each name.
    let values: [Value]
    let thumbs: [Thumb]

    init(_ entry: Entry) {
        let item = entry.item
        let photo = item.photo
        // An item that the run did not come to is left for the next one.
        let receipt = entry.receipt ?? Receipt(.skipped, failure: Failure(.deferred, ""))
        let failure = receipt.failure
        thumbs = receipt.thumbs
        values = [
            .number(item.seq), .text(photo.id), .text(item.feed), .number(item.page), .text(photo.collection),
            .text(receipt.state.rawValue), .text(failure?.cause.name), .text(receipt.url),
            .text(receipt.finalURL ?? failure?.finalURL), .number(receipt.status ?? failure?.status),
            .text(receipt.original?.path), .number(receipt.original?.bytes), .text(receipt.original?.sha256),
            .text(receipt.format), .number(receipt.width), .number(receipt.height), .number(receipt.orientation),
            .text(receipt.etag), .text(receipt.lastModified), .text(receipt.color ?? photo.color),
            .text(receipt.placeholder ?? photo.placeholder), .text(receipt.phash), .text(photo.caption),
            .text(photo.author), .text(photo.authorURL), .text(photo.pageURL), .text(photo.license),
            .text(photo.licenseURL), .text(photo.attribution),
        ]
    }
}
