// SPDX-License-Identifier: MIT

/// A photo as described by a feed.
///
/// A fact that the feed does not state is `nil`. Every string is untrusted: never use one as a file name, and escape it
/// before printing or embedding it.
public struct Photo: Sendable {
    /// The feed's id for the photo, unique within the feed and its collection.
    public var id: String { didSet { id = Userinfo.split(id).url } }
    /// The renditions that the feed offers, in feed order.
    public var variants: [Variant]
    /// The facts, if there are any.
    ///
    /// They are in an array of at most one element, because a photo is copied many times on its way through a run, and
    /// an array is copied by reference.
    var facts: [PhotoFacts] = []

    /// The original's width in pixels, as the feed states it; numbers outside of ``Quantity/sides`` count as absent.
    public var width: Int? {
        get { self[\.width] }
        set { set(newValue?.within(Quantity.sides)) { $0.width = $1 } }
    }
    /// The original's height in pixels, as the feed states it; numbers outside of ``Quantity/sides`` count as absent.
    public var height: Int? {
        get { self[\.height] }
        set { set(newValue?.within(Quantity.sides)) { $0.height = $1 } }
    }
    /// The description, or the alternative text if there is no description.
    public var caption: String? {
        get { self[\.caption] }
        set { set(newValue) { $0.caption = $1 } }
    }
    /// The photographer's name.
    public var author: String? {
        get { self[\.author] }
        set { set(newValue) { $0.author = $1 } }
    }
    /// The photographer's page; as in all links of a photo, credentials are removed.
    public var authorURL: String? {
        get { self[\.authorURL] }
        set { set(Userinfo.removed(from: newValue)) { $0.authorURL = $1 } }
    }
    /// The photo's page at the service.
    public var pageURL: String? {
        get { self[\.pageURL] }
        set { set(Userinfo.removed(from: newValue)) { $0.pageURL = $1 } }
    }
    /// The licence's name or code.
    public var license: String? {
        get { self[\.license] }
        set { set(newValue) { $0.license = $1 } }
    }
    /// The address of the licence's text.
    public var licenseURL: String? {
        get { self[\.licenseURL] }
        set { set(Userinfo.removed(from: newValue)) { $0.licenseURL = $1 } }
    }
    /// The credit line that the service asks for.
    public var attribution: String? {
        get { self[\.attribution] }
        set { set(newValue) { $0.attribution = $1 } }
    }
    /// The collection (album, set) that contains the photo, if any.
    public var collection: String? {
        get { self[\.collection] }
        set { set(newValue) { $0.collection = $1 } }
    }
    /// The dominant colour as the feed states it, `#rrggbb`.
    public var color: String? {
        get { self[\.color] }
        set { set(newValue) { $0.color = $1 } }
    }
    /// The feed's placeholder string, for example a BlurHash.
    public var placeholder: String? {
        get { self[\.placeholder] }
        set { set(newValue) { $0.placeholder = $1 } }
    }
    /// The address to request after a download, for services that count downloads.
    public var ping: String? {
        get { self[\.ping] }
        set { set(newValue) { $0.ping = $1 } }
    }
    /// The time of publication or creation, in seconds since 1970; numbers outside of ``Quantity/times`` are absent.
    public var date: Int? {
        get { self[\.date] }
        set { set(newValue?.within(Quantity.times)) { $0.date = $1 } }
    }
    /// Who states the date of a local photo: `sidecar`, `exif`, `xmp`, `iptc` or `file`, which is the time of the file.
    ///
    /// The suffix `-local` means that no time zone is stated.
    public var dateSource: String? {
        get { self[\.dateSource] }
        set { set(newValue) { $0.dateSource = $1 } }
    }
    /// The latitude and the longitude of a local photo in degrees, `48.858370,2.294481`, if places are kept.
    public var place: String? {
        get { self[\.place] }
        set { set(newValue) { $0.place = $1 } }
    }
    /// The camera and its settings, in one line.
    public var camera: String? {
        get { self[\.camera] }
        set { set(newValue) { $0.camera = $1 } }
    }
    /// The tags, separated by commas.
    public var tags: String? {
        get { self[\.tags] }
        set { set(newValue) { $0.tags = $1 } }
    }
    /// The rules of the photo's page about its use, as the text of ``UsageTerms``.
    public var usage: String? {
        get { self[\.usage] }
        set { set(newValue) { $0.usage = $1 } }
    }
    /// The columns of a list that are no other fact, as the text of a JSON object.
    public var columns: String? {
        get { self[\.columns] }
        set { set(newValue) { $0.columns = $1 } }
    }
    /// The SOURCE whose feed lists the photo, which a run with several sources states.
    public var source: String? {
        get { self[\.source] }
        set { set(Userinfo.removed(from: newValue)) { $0.source = $1 } }
    }
    /// The width and height in pixels below which the picture of a web page counts as an icon, unless the user chooses
    /// a size; `nil` for photos that cannot be icons.
    package var iconSide: Int? {
        get { self[\.iconSide] }
        set { set(newValue?.within(Quantity.sides)) { $0.iconSide = $1 } }
    }
    /// The user's rating: 1 to 5 stars, or -1 for a rejected photo.
    ///
    /// Like ``userCaption`` and ``userTags`` it is a mark of the user, which no feed states or changes.
    public var rating: Int? {
        get { self[\.rating] }
        set { set(newValue == 0 ? nil : newValue?.within(PhotoMark.ratings)) { $0.rating = $1 } }
    }
    /// The caption that the user wrote instead of the feed's.
    public var userCaption: String? {
        get { self[\.userCaption] }
        set { set(newValue) { $0.userCaption = $1 } }
    }
    /// The tags that the user added, separated by commas.
    public var userTags: String? {
        get { self[\.userTags] }
        set { set(newValue) { $0.userTags = $1 } }
    }
    /// The reason why the feed's record is invalid; the item then fails with it, and no request is sent.
    public var invalidReason: Failure? {
        get { self[\.invalidReason] }
        set { set(newValue) { $0.invalidReason = $1 } }
    }

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

    /// The photo with an id that contains a hash of its addresses and its caption, which tell rows with one id apart.
    package var namedByRow: Photo {
        var photo = self
        photo.id = "\(id)~\(Fingerprint(of: variants.map(\.url) + [caption ?? ""]).text)"
        return photo
    }

    /// The facts, all missing if there are none.
    var allFacts: PhotoFacts { facts.first ?? PhotoFacts() }

    private subscript<Value>(path: KeyPath<PhotoFacts, Value?>) -> Value? {
        facts.isEmpty ? nil : facts[0][keyPath: path]
    }

    /// Sets a fact; a closure, because the compiler would not optimize a key path here.
    private mutating func set<Value>(_ value: Value?, _ assign: (inout PhotoFacts, Value?) -> Void) {
        if facts.isEmpty {
            guard value != nil else { return }
            facts = [PhotoFacts()]
        }
        assign(&facts[0], value)
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
    public var width: Int? { didSet { width = width?.within(Quantity.sides) } }
    /// The height in pixels, if the feed states it.
    public var height: Int? { didSet { height = height?.within(Quantity.sides) } }
    /// The expected hash of the bytes; it is checked after the download and not stored in the ledger.
    public var checksum: Checksum?

    /// Creates a variant and moves credentials from the address to ``userinfo``.
    public init(name: String, url: String, width: Int? = nil, height: Int? = nil) {
        self.name = name
        (self.url, userinfo) = Userinfo.split(url)
        self.width = width?.within(Quantity.sides)
        self.height = height?.within(Quantity.sides)
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
            name: json["name"]?.text ?? "", url: json["url"]?.text ?? "", width: json["width"]?.side,
            height: json["height"]?.side)
    }
}

extension Photo {
    /// The name of the licence, or else its address.
    package var statedLicense: String? { license ?? licenseURL }
}

extension Photo {
    /// The value of ``dateSource`` for the time of a file, which is no statement about the photo.
    package static let fileTime = "file"
    private static let localSuffix = "-local"
    /// The times with years of four digits.
    private static let years = -62_135_596_800..<253_402_300_800

    /// Sets the date to a time in ISO 8601, unless it is set or the text is invalid.
    package mutating func setDate(_ text: String?, from source: String) {
        guard date == nil, let text, let time = UTCTime.seconds(ofISO: text) else { return }
        date = time
        let hasZone = text.dropFirst(10).contains { "Zz+-".contains($0) }
        dateSource = hasZone ? source : source + Self.localSuffix
    }

    /// The date for metadata, in ISO 8601; `nil` if the photo has none, or only the time of its file.
    package var statedTime: String? {
        guard let date, Self.years.contains(date), dateSource != Self.fileTime else { return nil }
        let text = UTCTime(secondsSince1970: date).text
        return dateSource?.hasSuffix(Self.localSuffix) == true ? String(text.dropLast()) : text
    }

    /// Sets the place, unless it is set, the coordinates are impossible, or both are 0, which means an unknown place.
    package mutating func setPlace(_ latitude: Double, _ longitude: Double) {
        guard place == nil, abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return }
        place = [latitude, longitude].map { degrees in
            let millionths = Int(rounding: abs(degrees) * 1_000_000)
            let fraction = String(millionths % 1_000_000).zeroPadded(to: 6)
            return "\(degrees < 0 ? "-" : "")\(millionths / 1_000_000).\(fraction)"
        }
        .joined(separator: ",")
    }
}
