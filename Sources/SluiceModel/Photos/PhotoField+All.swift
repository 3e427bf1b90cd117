// SPDX-License-Identifier: MIT

extension PhotoField {
    /// All fields, in the order of the fingerprint, of the manifest's members and of the gallery's labels.
    public static let all = [
        PhotoField(
            "width", \.width, { $0.width }, .side, lists: ["width", "imagewidth"], ledger: .fact(since: 1),
            manifest: .ofFile, gallery: .ofFile, uses: [.filter, .fileName]),
        PhotoField(
            "height", \.height, { $0.height }, .side, lists: ["height", "imageheight"], ledger: .fact(since: 1),
            manifest: .ofFile, gallery: .ofFile, uses: [.filter, .fileName]),
        PhotoField(
            "collection", \.collection, { $0.collection }, lists: ["collection", "album"], ledger: .key,
            manifest: .withKey, gallery: .ofFeed(label: "Collection"), uses: [.filter, .fileName, .search]),
        PhotoField(
            "caption", \.caption, { $0.caption },
            lists: ["caption", "description", "title", "text", "alt", "alttext", "altdescription"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(limit: 4000),
            uses: [.filter, .fileName, .search]),
        PhotoField(
            "author", \.author, { $0.author }, lists: ["author", "creator", "photographer", "artist", "authorname"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(),
            uses: [.filter, .fileName, .search]),
        PhotoField(
            "author_url", \.authorURL, { $0.authorURL }, .link, lists: ["authorurl", "creatorurl", "photographerurl"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "page_url", \.pageURL, { $0.pageURL }, .link,
            lists: ["pageurl", "page", "webpage", "landingurl", "foreignlandingurl"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "license", \.license, { $0.license }, lists: ["license", "licence", "rights"], ledger: .fact(since: 1),
            manifest: .beforeDetail, gallery: .ofFeed(label: "Licence", link: "license_url"),
            uses: [.filter, .fileName]),
        PhotoField(
            "license_url", \.licenseURL, { $0.licenseURL }, .link, lists: ["licenseurl", "licenceurl"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "attribution", \.attribution, { $0.attribution }, lists: ["attribution", "credit", "creditline"],
            ledger: .fact(since: 1), manifest: .beforeDetail, gallery: .ofFeed(limit: 600, label: "Credit"),
            uses: [.filter, .search]),
        PhotoField(
            "color", \.color, { $0.color }, .color, lists: ["color", "colour"], ledger: .fact(since: 1),
            manifest: .ofFileOrFeed, gallery: .ofFile, uses: [.filter]),
        PhotoField(
            "placeholder", \.placeholder, { $0.placeholder }, lists: ["placeholder", "blurhash", "thumbhash"],
            ledger: .fact(since: 1), manifest: .ofFileOrFeed, gallery: .ofFile, uses: [.filter]),
        // Only the run needs this address, and no reader of a mirror may request it.
        PhotoField(
            "ping", \.ping, { $0.ping }, .link, lists: [], ledger: .fact(since: 3), manifest: .absent, gallery: .absent),
        PhotoField(
            "date", \.date, { $0.date }, .date, lists: ["date", "published", "publishedat", "created", "createdat"],
            ledger: .fact(since: 8), manifest: .atEnd, gallery: .ofFeed(label: "Date"), uses: [.filter]),
        PhotoField(
            "camera", \.camera, { $0.camera }, lists: ["camera", "cameramodel"], ledger: .fact(since: 8),
            manifest: .atEnd, gallery: .ofFeed(label: "Camera"), uses: [.filter]),
    ]
}
