// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where the manifest's facts go, one by one in the manifest's order: a line of JSON, or a row of the table.
protocol ManifestForm {
    /// Takes a fact by its name, on which scripts rely; `nil` where it is missing.
    mutating func fact(_ name: String, _ text: String?)
    /// Takes a fact that is a number.
    mutating func fact(_ name: String, _ number: Int?)
}

extension ManifestForm {
    /// Tells all that the manifest says of an item but its thumbnails.
    ///
    /// Each fact is handed on from where it is: copying the photo, or all facts, would cost more than writing them.
    mutating func tell(_ item: Item, _ receipt: Receipt) {
        fact("seq", item.seq)
        fact("id", item.photo.id)
        fact("feed", item.feed)
        fact("page", item.page)
        fact("collection", item.photo.collection)
        fact("state", receipt.state.rawValue)
        fact("cause", receipt.failure?.cause.name)
        fact("url", receipt.url)
        fact("final_url", receipt.finalURL ?? receipt.failure?.finalURL)
        fact("status", receipt.status ?? receipt.failure?.status)
        fact("file", receipt.original?.path)
        fact("bytes", receipt.original?.bytes)
        fact("sha256", receipt.original?.sha256)
        fact("format", receipt.format)
        fact("width", receipt.width)
        fact("height", receipt.height)
        fact("orientation", receipt.orientation)
        fact("etag", receipt.etag)
        fact("last_modified", receipt.lastModified)
        fact("color", receipt.color ?? item.photo.color)
        fact("placeholder", receipt.placeholder ?? item.photo.placeholder)
        fact("phash", receipt.phash)
        fact("caption", item.photo.caption)
        fact("author", item.photo.author)
        fact("author_url", item.photo.authorURL)
        fact("page_url", item.photo.pageURL)
        fact("license", item.photo.license)
        fact("license_url", item.photo.licenseURL)
        fact("attribution", item.photo.attribution)
        fact("detail", receipt.failure?.lastingDetail)
    }
}

extension Entry {
    /// Its receipt; of an item that the run did not come to, that it is left for the next one.
    var end: Receipt { receipt ?? Receipt(.skipped, failure: Failure(.deferred, "")) }
}

extension Failure {
    /// The evidence, where it is of the list or the file itself: what the network says differs from run to run, and the
    /// manifest does not.
    fileprivate var lastingDetail: String? {
        [.feedParse, .policy, .corrupt].contains(cause) && !detail.isEmpty ? detail : nil
    }
}
