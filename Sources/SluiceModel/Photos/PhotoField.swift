// SPDX-License-Identifier: MIT

/// A fact that a feed can state about a photo.
///
/// ``all`` is the only list of these facts: recipes, lists, filters, file names, the ledger, the manifest and the
/// gallery read it. To add a fact, add a property to ``Photo`` and `PhotoFacts`, and an entry to the list. The id and
/// the variants of a photo are not fields.
///
/// It is a class because every place visits all fields of every photo.
package final class PhotoField: Sendable {
    /// The property of ``Photo`` that holds the fact.
    package enum Property: Sendable {
        case text(any WritableKeyPath<Photo, String?> & Sendable)
        case number(any WritableKeyPath<Photo, Int?> & Sendable)
    }

    /// The meaning of the value, which determines how a feed's text is converted.
    package enum Kind: Sendable, Hashable {
        case text
        case link
        /// A colour, `#rrggbb`.
        case color
        /// A width or height in pixels.
        case side
        /// A time in seconds since 1970.
        case date
        /// The text of a JSON object.
        case object
        /// Tags, see ``TagList``.
        case tags
        /// A user's rating.
        case rating
    }

    /// The column of the ledger.
    package enum LedgerColumn: Sendable, Hashable {
        /// A part of the item's key.
        case key
        /// A column that the given version of the schema added.
        ///
        /// For a new field this is the ledger's next version; the ledger derives the migration from the field.
        case fact(since: Int)
        /// A column, likewise, with a mark of the user, which the feed's facts do not replace.
        case mark(since: Int)
    }

    /// The appearance in the gallery.
    package enum GalleryEntry: Sendable, Hashable {
        /// The gallery does not have the fact.
        case absent
        /// The gallery has the value of the file if there is one.
        case ofFile
        /// The gallery has the feed's value; texts are cut after `limit` characters.
        ///
        /// With a label, the detail view lists it, as a link if the field named `link` has an address.
        case ofFeed(limit: Int = 300, label: String? = nil, link: String? = nil)
    }

    /// A further use of the fact.
    package enum Use: Sendable, Hashable {
        /// `--filter` can test the field.
        case filter
        /// `--name` can contain the field.
        case fileName
        /// The gallery's search finds the text.
        case search
        /// Recipes can state the fact although lists cannot.
        case recipe
    }

    private enum Reader: Sendable {
        case text(@Sendable (Photo) -> String?)
        case number(@Sendable (Photo) -> Int?)
    }

    /// The name in recipes, filters, file names, the ledger, the manifest, its CSV columns and the gallery's data.
    package let name: String
    /// The property of ``Photo``.
    package let property: Property
    /// Returns the property's value; reading it by its key path would copy the whole photo.
    private let reader: Reader
    /// The meaning of the value.
    package let kind: Kind
    /// The names of list columns with the fact, as lower-case letters and digits only; empty if lists cannot state it.
    package let listNames: [String]
    /// The column of the ledger.
    package let ledger: LedgerColumn
    /// The place in the manifests.
    package let manifest: ManifestColumn
    /// The appearance in the gallery.
    package let gallery: GalleryEntry
    package let uses: Set<Use>

    init(
        _ name: String, _ path: any WritableKeyPath<Photo, String?> & Sendable,
        _ reader: @escaping @Sendable (Photo) -> String?, _ kind: Kind = .text, lists: [String],
        ledger: LedgerColumn, manifest: ManifestColumn, gallery: GalleryEntry, uses: Set<Use> = []
    ) {
        (self.name, property, self.reader) = (name, .text(path), .text(reader))
        (self.kind, listNames) = (kind, lists)
        (self.ledger, self.manifest, self.gallery, self.uses) = (ledger, manifest, gallery, uses)
    }

    init(
        _ name: String, _ path: any WritableKeyPath<Photo, Int?> & Sendable,
        _ reader: @escaping @Sendable (Photo) -> Int?, _ kind: Kind, lists: [String],
        ledger: LedgerColumn, manifest: ManifestColumn, gallery: GalleryEntry, uses: Set<Use> = []
    ) {
        (self.name, property, self.reader) = (name, .number(path), .number(reader))
        (self.kind, listNames) = (kind, lists)
        (self.ledger, self.manifest, self.gallery, self.uses) = (ledger, manifest, gallery, uses)
    }

    /// Whether recipes can state the fact.
    package var isStatedByRecipes: Bool { !listNames.isEmpty || uses.contains(.recipe) }

    /// Whether the value is a number.
    package var isNumber: Bool {
        if case .number = property { true } else { false }
    }

    /// The photo's text; `nil` if it is missing or if the field is a number.
    package func text(of photo: Photo) -> String? {
        if case .text(let read) = reader { read(photo) } else { nil }
    }

    /// The photo's number; `nil` if it is missing or if the field is a text.
    package func number(of photo: Photo) -> Int? {
        if case .number(let read) = reader { read(photo) } else { nil }
    }

    /// The photo's value as text, also of a number; `nil` if it is missing.
    package func value(of photo: Photo) -> String? { number(of: photo).map(String.init) ?? text(of: photo) }

    /// Returns the field with a text property of ``Photo``.
    package static func field(_ path: KeyPath<Photo, String?>) -> PhotoField {
        for field in all {
            if case .text(let own) = field.property, own == path { return field }
        }
        preconditionFailure("no photo field has this property")
    }
}

/// The member of `manifest.jsonl`, and the column of `manifest.csv` and `manifest.parquet`.
package enum ManifestColumn: Sendable, Hashable {
    /// The manifests do not have the fact.
    case absent
    /// The manifests have the value of the file instead, under the same name.
    case ofFile
    /// The manifests have the value of the file, or else the feed's.
    case ofFileOrFeed
    /// The column's number, from 1, and its name if it is another one.
    ///
    /// A new column follows all others, because scripts may read the columns of CSV files by number.
    case column(Int, name: String? = nil)
}

extension PhotoField: Hashable {
    /// Whether both are the same field.
    package static func == (left: PhotoField, right: PhotoField) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension PhotoField {
    /// All fields, in the order of the fingerprint and of the gallery's labels.
    package static let all = [
        PhotoField(
            "width", \.width, { $0.width }, .side, lists: ["width", "imagewidth"], ledger: .fact(since: 1),
            manifest: .ofFile, gallery: .ofFile, uses: [.filter, .fileName]),
        PhotoField(
            "height", \.height, { $0.height }, .side, lists: ["height", "imageheight"], ledger: .fact(since: 1),
            manifest: .ofFile, gallery: .ofFile, uses: [.filter, .fileName]),
        PhotoField(
            "collection", \.collection, { $0.collection }, lists: ["collection", "album"], ledger: .key,
            manifest: .column(5), gallery: .ofFeed(label: "Collection"), uses: [.filter, .fileName, .search]),
        PhotoField(
            "caption", \.caption, { $0.caption },
            lists: ["caption", "description", "title", "text", "alt", "alttext", "altdescription"],
            ledger: .fact(since: 1), manifest: .column(23), gallery: .ofFeed(limit: 4000),
            uses: [.filter, .fileName, .search]),
        PhotoField(
            "author", \.author, { $0.author }, lists: ["author", "creator", "photographer", "artist", "authorname"],
            ledger: .fact(since: 1), manifest: .column(24), gallery: .ofFeed(),
            uses: [.filter, .fileName, .search]),
        PhotoField(
            "author_url", \.authorURL, { $0.authorURL }, .link, lists: ["authorurl", "creatorurl", "photographerurl"],
            ledger: .fact(since: 1), manifest: .column(25), gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "page_url", \.pageURL, { $0.pageURL }, .link,
            lists: ["pageurl", "page", "webpage", "landingurl", "foreignlandingurl"],
            ledger: .fact(since: 1), manifest: .column(26), gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "license", \.license, { $0.license }, lists: ["license", "licence", "rights"], ledger: .fact(since: 1),
            manifest: .column(27), gallery: .ofFeed(label: "Licence", link: "license_url"),
            uses: [.filter, .fileName]),
        PhotoField(
            "license_url", \.licenseURL, { $0.licenseURL }, .link, lists: ["licenseurl", "licenceurl"],
            ledger: .fact(since: 1), manifest: .column(28), gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "attribution", \.attribution, { $0.attribution }, lists: ["attribution", "credit", "creditline"],
            ledger: .fact(since: 1), manifest: .column(29), gallery: .ofFeed(limit: 600, label: "Credit"),
            uses: [.filter, .search]),
        PhotoField(
            "color", \.color, { $0.color }, .color, lists: ["color", "colour"], ledger: .fact(since: 1),
            manifest: .ofFileOrFeed, gallery: .ofFile, uses: [.filter]),
        PhotoField(
            "placeholder", \.placeholder, { $0.placeholder }, lists: ["placeholder", "blurhash", "thumbhash"],
            ledger: .fact(since: 1), manifest: .ofFileOrFeed, gallery: .ofFile, uses: [.filter]),
        // Only the run needs this address, and no reader of a mirror may request it.
        PhotoField(
            "ping", \.ping, { $0.ping }, .link, lists: [], ledger: .fact(since: 3), manifest: .absent, gallery: .absent,
            uses: [.recipe]),
        PhotoField(
            "date", \.date, { $0.date }, .date, lists: ["date", "published", "publishedat", "created", "createdat"],
            ledger: .fact(since: 8), manifest: .column(32), gallery: .ofFeed(label: "Date"),
            uses: [.filter, .fileName]),
        PhotoField(
            "date_source", \.dateSource, { $0.dateSource }, lists: [], ledger: .fact(since: 26), manifest: .column(43),
            gallery: .absent, uses: [.filter]),
        // The manifest and the gallery have it among the camera's facts.
        PhotoField(
            "place", \.place, { $0.place }, lists: [], ledger: .fact(since: 26), manifest: .absent, gallery: .absent,
            uses: [.filter]),
        PhotoField(
            "camera", \.camera, { $0.camera }, lists: ["camera", "cameramodel"], ledger: .fact(since: 8),
            manifest: .column(33), gallery: .ofFeed(label: "Camera"), uses: [.filter]),
        // A filter tests a single column, `columns.NAME`.
        PhotoField(
            "columns", \.columns, { $0.columns }, .object, lists: [], ledger: .fact(since: 13), manifest: .column(34),
            gallery: .ofFeed(limit: 8 << 10, label: "Columns")),
        PhotoField(
            "source", \.source, { $0.source }, lists: [], ledger: .fact(since: 14), manifest: .column(35),
            gallery: .absent, uses: [.filter, .fileName]),
        PhotoField(
            "tags", \.tags, { $0.tags }, .tags, lists: ["tags", "keywords"], ledger: .fact(since: 16),
            manifest: .column(36),
            gallery: .ofFeed(limit: 2000, label: "Tags"), uses: [.filter, .search]),
        PhotoField(
            "usage", \.usage, { $0.usage }, lists: [], ledger: .fact(since: 22), manifest: .ofFile, gallery: .absent),
        // Every run that processes the photo decides by it, also one that does not read the page.
        PhotoField(
            "icon_side", \.iconSide, { $0.iconSide }, .side, lists: [], ledger: .fact(since: 24), manifest: .absent,
            gallery: .absent),
        // The marks of the user.
        PhotoField(
            "rating", \.rating, { $0.rating }, .rating, lists: [], ledger: .mark(since: 27), manifest: .column(44),
            gallery: .ofFeed(), uses: [.filter]),
        PhotoField(
            "user_caption", \.userCaption, { $0.userCaption }, lists: [], ledger: .mark(since: 27),
            manifest: .column(45), gallery: .ofFeed(limit: 4000), uses: [.filter]),
        PhotoField(
            "user_tags", \.userTags, { $0.userTags }, .tags, lists: [], ledger: .mark(since: 27),
            manifest: .column(46), gallery: .ofFeed(limit: 2000, label: "Your tags"), uses: [.filter, .search]),
    ]

    /// The version of the ledger that added the column; `nil` for a part of the key.
    package var ledgerVersion: Int? {
        switch ledger {
        case .key: nil
        case .fact(let version), .mark(let version): version
        }
    }

    /// Whether the field is a mark of the user.
    package var isMark: Bool { if case .mark = ledger { true } else { false } }
}
