// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What an HTML document states about its pictures and links; addresses are not resolved yet.
struct WebPage {
    /// The maximum number of pictures, and of links; further ones are ignored.
    static let maxEntries = 20_000

    /// A link to another document.
    struct Link {
        var address: String
        var text = ""
        /// Whether it is marked `nofollow`.
        var isNoFollow = false
        /// Whether a picture of the page is inside it.
        var hasPicture = false
    }

    /// A figure: its caption, licence and credit apply to the pictures in it.
    struct Figure {
        var caption: String?
        var license: String?
        var credit: String?
    }

    var title: String?
    /// The address of `<base>`.
    var base: String?
    var canonical: String?
    /// The addresses of the first links of each relation, by its name in lower case.
    var relations: TextMap<String> = [:]
    /// The address of the next page of the same listing.
    var next: String?
    /// The address that the page loads after a time, in place of itself.
    var refresh: String?
    /// The addresses of the documents in its frames.
    var frames: [String] = []
    /// The rules for robots in `<meta>`, in lower case.
    var robots: [String] = []
    /// The address of the licence that the page states for its contents.
    var license: String?
    var author: String?
    /// The time of publication, as the page writes it.
    var published: String?
    var pictures: [PagePicture] = []
    /// The pictures that the page names for previews, such as `og:image`.
    var previews: [PagePicture] = []
    var links: [Link] = []
    var figures: [Figure] = []
    var structuredTexts: [String] = []
    /// The texts of scripts that may contain data.
    var scriptTexts: [String] = []
    var hasScripts = false
    /// What the page says that it is (`og:type`).
    var type: String?
    /// The limit that ended the reading before the end of the document.
    var problem: String?
}

/// A picture that a page shows, links or names.
struct PagePicture {
    /// Where the page names it.
    enum Place {
        case image, link, background, preview, structured
        /// An attribute of an element that shows no picture.
        case attribute
        /// The data of a script.
        case script
    }

    /// One address of the picture.
    struct Source {
        var address: String
        /// The width in pixels, from `srcset`.
        var width: Int?
        /// The density, from `srcset`.
        var density: Double?
        /// The order of the viewports that it is meant for, of which larger ones have larger pictures; zero for any.
        var viewport = 0
        /// Whether it is the large version behind the picture.
        var isFull = false
        /// Whether the page does not state it, but a rendition's address shows it.
        var isDerived = false
        /// Whether it is a small rendition, by the name that the data of a script give it.
        var isThumbnail = false
        /// Whether it is an alternative that `<picture>` offers.
        var isAlternative = false
    }

    let place: Place
    var sources: [Source] = []
    /// The size at which the page shows it, or which the page states.
    var width: Int?
    var height: Int?
    /// Whether width and height are those of the file.
    var isExactSize = false
    var caption: String?
    var author: String?
    var license: String?
    var credit: String?
    /// The index of the link around it.
    var link: Int?
    /// The index of its figure.
    var figure: Int?
    /// Names that the page gives it: classes and the id.
    var words: [String] = []
    /// Whether it is one of several that the data of a script describe as a gallery.
    var isOfGallery = false
    /// The part of the page that it is in.
    var region = PageRegion.Kind.body

    init(_ place: Place) { self.place = place }
}

/// Collects the texts of a page that are of use: its title, captions, JSON-LD, scripts' data.
///
/// At most one text of each kind is open, so that nested elements cost nothing.
struct PageText {
    enum Kind: Int, CaseIterable {
        case title, link, caption, credit, structured, script

        /// The maximum length in bytes.
        var limit: Int {
            switch self {
            case .structured, .script: 2 << 20
            case .title, .link: 1 << 10
            case .caption, .credit: 4 << 10
            }
        }
    }

    private var texts: [String?] = Array(repeating: nil, count: Kind.allCases.count)
    private var count = 0

    var isCapturing: Bool { count > 0 }

    /// Begins a text; returns `nil` if one of its kind is open.
    mutating func begin(_ kind: Kind) -> Kind? {
        guard texts[kind.rawValue] == nil else { return nil }
        texts[kind.rawValue] = ""
        count += 1
        return kind
    }

    mutating func add(_ text: String) {
        for kind in Kind.allCases {
            guard let length = texts[kind.rawValue]?.utf8.count, length < kind.limit else { continue }
            texts[kind.rawValue]?.append(text)
        }
    }

    /// Ends a text and returns it.
    mutating func end(_ kind: Kind) -> String {
        defer {
            texts[kind.rawValue] = nil
            count -= 1
        }
        return texts[kind.rawValue] ?? ""
    }

    /// Returns the text on one line; `nil` if it is empty.
    static func line(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? nil : line.truncated(to: Photo.maxTextLength)
    }
}
