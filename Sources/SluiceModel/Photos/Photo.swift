// SPDX-License-Identifier: MIT

/// A photo as described by a feed.
///
/// A fact that the feed does not state is `nil`. Every string is untrusted: never use one as a file name, and escape it
/// before printing or embedding it.
public struct Photo: Sendable, Hashable, Codable {
    /// The feed's id for the photo, unique within the feed and its collection.
    public var id: String { didSet { id = Userinfo.split(id).url } }
    /// The renditions that the feed offers, in feed order.
    public var variants: [Variant]
    /// The original's width in pixels, as the feed states it.
    public var width: Int?
    /// The original's height in pixels, as the feed states it.
    public var height: Int?
    /// The description, or the alternative text if there is no description.
    public var caption: String?
    /// The photographer's name.
    public var author: String?
    /// The photographer's page; as in all links of a photo, credentials are removed.
    public var authorURL: String? { didSet { authorURL = Userinfo.removed(from: authorURL) } }
    /// The photo's page at the service.
    public var pageURL: String? { didSet { pageURL = Userinfo.removed(from: pageURL) } }
    /// The licence's name or code.
    public var license: String?
    /// The address of the licence's text.
    public var licenseURL: String? { didSet { licenseURL = Userinfo.removed(from: licenseURL) } }
    /// The credit line that the service asks for.
    public var attribution: String?
    /// The collection (album, set) that contains the photo, if any.
    public var collection: String?
    /// The dominant colour as the feed states it, `#rrggbb`.
    public var color: String?
    /// The feed's placeholder string, for example a BlurHash.
    public var placeholder: String?
    /// The address to request after a download, for services that count downloads.
    public var ping: String?
    /// The time of publication or creation, in seconds since 1970.
    public var date: Int?
    /// The camera and its settings, in one line.
    public var camera: String?
    /// The tags, separated by commas.
    public var tags: String?
    /// The columns of a list that are no other fact, as the text of a JSON object.
    public var columns: String?
    /// The SOURCE whose feed lists the photo, which a run with several sources states.
    public var source: String? { didSet { source = Userinfo.removed(from: source) } }
    /// The reason why the feed's record is invalid; the item then fails with it, and no request is sent.
    public var invalidReason: Failure?

    /// Creates a photo with an id and renditions only.
    public init(id: String, variants: [Variant] = []) {
        self.id = Userinfo.split(id).url
        self.variants = variants
    }

    /// Creates a photo with one rendition, whose name is ``Variant/original``.
    public init(id: String, url: String) {
        self.init(id: id, variants: [Variant(name: Variant.original, url: url)])
    }

    /// Creates the photo that stands for an invalid record.
    public init(invalid id: String, because detail: String) {
        self.init(id: id)
        invalidReason = Failure(.feedParse, detail)
    }

    /// The photo with an id that contains its source; `nil` without a source.
    package var namedApart: Photo? {
        guard let source else { return nil }
        var photo = self
        photo.id = "\(id)@\(source)"
        return photo
    }

    /// Returns the rendition with a name; `name` may list alternatives separated by `|`, and the first match wins.
    public func variant(named name: String) -> Variant? {
        // Fast path: most names have no alternatives, and there may be millions of photos.
        guard name.utf8.contains(UInt8(ascii: "|")) else { return variants.first { $0.name === name } }
        for name in name.split(separator: "|") {
            if let variant = variants.first(where: { $0.name === String(name) }) { return variant }
        }
        return nil
    }
}

/// One rendition of a photo.
public struct Variant: Sendable, Hashable, Codable {
    /// The name of a rendition that is the only one of its photo.
    public static let original = "original"

    /// The service's name for the rendition, for example `raw`, `full` or `small`.
    public var name: String
    /// The address without credentials; safe to show and store.
    public var url: String
    /// The credentials from the address, `user:password`.
    ///
    /// Send them only to the address's host, and never show or store them.
    public var userinfo: String?
    /// The headers that the user's list sets for the request, each as `Name: value`.
    ///
    /// They may be secret: send them only to the address's origin, and never show or store them.
    public var headers: [String] = []
    /// The width in pixels, if the feed states it.
    public var width: Int?
    /// The height in pixels, if the feed states it.
    public var height: Int?
    /// The expected hash of the bytes; it is checked after the download and not stored in the ledger.
    public var checksum: Checksum?

    /// Creates a variant and moves credentials from the address to ``userinfo``.
    public init(name: String, url: String, width: Int? = nil, height: Int? = nil) {
        self.name = name
        (self.url, userinfo) = Userinfo.split(url)
        self.width = width
        self.height = height
    }

    /// The address including the credentials, for the request.
    package var address: String { userinfo.map { Userinfo.join(url, $0) } ?? url }

    private enum CodingKeys: String, CodingKey {
        case name, url, width, height
    }
}

extension Photo {
    /// The ID as galleries and reports show it: for a local file, its path below the folder that was mirrored.
    ///
    /// They may be published, and must not show where their author keeps files.
    package var shownID: String {
        guard id.hasPrefix("/") || id.hasPrefix("file:///"), let name = id.split(separator: "/").last else { return id }
        return collection.map { "\($0)/\(name)" } ?? String(name)
    }
}

extension Variant {
    /// Writes name, address and size, as the ledger and plans store them.
    package func write(to object: inout JSONWriter) {
        object.member("name", name)
        object.member("url", url)
        object.member("width", width)
        object.member("height", height)
    }

    /// Reads the members that ``write(to:)`` writes; missing texts are empty.
    package init(_ json: JSON) {
        self.init(
            name: json["name"]?.text ?? "", url: json["url"]?.text ?? "", width: json["width"]?.integer,
            height: json["height"]?.integer)
    }
}

extension Photo {
    /// The name of the licence, or else its address.
    package var statedLicense: String? { license ?? licenseURL }
}
