// SPDX-License-Identifier: MIT

/// What a feed says of one picture.
///
/// A fact that the feed does not state is `nil`, never a made-up value. Every string comes from a stranger: it is data,
/// and neither a file's name nor safe to print or to embed until it was escaped.
public struct Photo: Sendable, Hashable, Codable {
    /// The feed's own name for the photo, unique within the feed and its collection.
    public var id: String
    /// The renditions that the feed offers, in the feed's order.
    public var variants: [Variant]
    /// The original's width in pixels, as the feed states it.
    public var width: Int?
    /// The original's height in pixels, as the feed states it.
    public var height: Int?
    /// The description, else the alternative text.
    public var caption: String?
    /// The photographer's name.
    public var author: String?
    /// The photographer's page; as in each of these links, a user's name and password are taken out.
    public var authorURL: String? { didSet { authorURL = Userinfo.without(authorURL) } }
    /// The photo's own page at the service.
    public var pageURL: String? { didSet { pageURL = Userinfo.without(pageURL) } }
    /// The licence's name or code.
    public var license: String?
    /// The licence's text.
    public var licenseURL: String? { didSet { licenseURL = Userinfo.without(licenseURL) } }
    /// The line of credit that the service asks for.
    public var attribution: String?
    /// The collection that the photo stands in (an album, a set), if the feed has any.
    public var collection: String?
    /// The dominant colour as the feed states it, `#rrggbb`.
    public var color: String?
    /// The feed's own placeholder string (a BlurHash, say).
    public var placeholder: String?
    /// The address that the service wants to be told of a download at.
    public var ping: String?
    /// When it was published or made, in seconds since 1970.
    public var date: Int?
    /// What it was taken with, and how, in one line.
    public var camera: String?
    /// Why what the feed says is no photo that can be fetched; its item fails with that, and nothing is asked of anybody.
    public var flaw: Failure?

    /// Makes a photo of which nothing but the name and the renditions is known.
    public init(id: String, variants: [Variant] = []) {
        self.id = id
        self.variants = variants
    }

    /// The rendition of that name, if the feed offers it; of several names with bars between them the first that it has.
    public func variant(named name: String) -> Variant? {
        // Nearly every name is one name, and there may be millions of photos.
        guard name.utf8.contains(UInt8(ascii: "|")) else { return variants.first { $0.name == name } }
        for name in name.split(separator: "|") {
            if let variant = variants.first(where: { $0.name == name }) { return variant }
        }
        return nil
    }
}

/// One rendition of a photo: its name at the service and its address.
public struct Variant: Sendable, Hashable, Codable {
    /// The service's name for it: `raw`, `full`, `regular`, `small`, `thumb`, and so on.
    public var name: String
    /// The address of its bytes, as it may be shown and kept.
    public var url: String
    /// What the feed put before the host, `user:password`: for that host alone, never shown and never kept.
    public var userinfo: String?
    /// Its width in pixels, where the feed tells.
    public var width: Int?
    /// Its height in pixels, where the feed tells.
    public var height: Int?
    /// The hash that its bytes must have; it is checked when they arrive, and no ledger keeps it.
    public var checksum: Checksum?

    /// Makes a variant; a user's name and password are taken out of the address.
    public init(name: String, url: String, width: Int? = nil, height: Int? = nil) {
        self.name = name
        (self.url, userinfo) = Userinfo.split(url)
        self.width = width
        self.height = height
    }

    /// The address as its host is asked for it.
    public var address: String { userinfo.map { Userinfo.join(url, $0) } ?? url }

    private enum CodingKeys: String, CodingKey {
        case name, url, width, height
    }
}
