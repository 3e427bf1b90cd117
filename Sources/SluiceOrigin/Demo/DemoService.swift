// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The built-in photo service: 300 painted photos, and a catalogue of albums and tracks.
///
/// It speaks the dialect of the first feed (`/photos`, `/photos/ID`) and the catalogue's (`/catalog`). Its addresses are
/// always below ``address``, whatever port an origin serves it on, so that two mirrors of it have the same manifest.
/// `per_page` above 30 is taken as 30; any other wrong parameter is answered with 400.
public struct DemoService: OriginService {
    /// The service's name; nothing but a connection override leads there.
    public static let host = "photos.sluice.test"
    /// What all of the service's addresses begin with.
    public static let address = "http://\(host)"
    /// How many photos there are.
    public static let count = 300

    private let encode: EncodePicture
    private let cache: PictureCache
    private let photos: [DemoPhoto]
    private let places: [String: Int]

    /// Makes the service; `cacheLimit` is in bytes of encoded pictures.
    public init(cacheLimit: Int = 64 << 20, encode: @escaping EncodePicture) {
        self.encode = encode
        cache = PictureCache(limit: cacheLimit)
        photos = (1...Self.count).map(DemoPhoto.init(number:))
        places = Dictionary(photos.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Answers a request.
    public func reply(to request: OriginRequest) -> OriginReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return Self.refusal(405, "only GET and HEAD work here", headers: [OriginHeader("Allow", "GET, HEAD")])
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (parts.first, parts.count) {
        case ("photos", 1): return list(request)
        case ("photos", 2): return detail(String(parts.last ?? ""))
        case ("images", 3): return image(String(parts.dropFirst().first ?? ""), String(parts.last ?? ""), request)
        case ("artwork", 2): return artwork(String(parts.last ?? ""), request)
        case ("catalog", 1): return OriginReply(type: "application/json", DemoCatalog.json(base: Self.address))
        default: return Self.notFound
        }
    }

    private static let notFound = refusal(404, "Couldn't find what was asked for")

    private static func refusal(_ status: Int, _ problem: String, headers: [OriginHeader] = []) -> OriginReply {
        var json = JSONWriter()
        json.object { $0.member("errors", array: { $0.value(problem) }) }
        return OriginReply(status: status, type: "application/json", json.bytes, headers: headers)
    }

    private func list(_ request: OriginRequest) -> OriginReply {
        guard let paging = DemoPaging(request) else {
            return Self.refusal(
                400, "page and per_page are whole numbers from 1; order_by is latest, oldest or popular")
        }
        var json = JSONWriter()
        let ordered = paging.order.sorted(photos)
        json.array { json in
            for photo in ordered[paging.range(of: ordered.count)] { photo.write(to: &json, base: Self.address) }
        }
        return OriginReply(type: "application/json", json.bytes, headers: paging.headers(total: ordered.count))
    }

    private func detail(_ id: String) -> OriginReply {
        guard let place = places[id] else { return Self.refusal(404, "Couldn't find Photo") }
        var json = JSONWriter()
        photos[place].write(to: &json, base: Self.address)
        return OriginReply(type: "application/json", json.bytes)
    }

    private func image(_ id: String, _ name: String, _ request: OriginRequest) -> OriginReply {
        guard let place = places[id] else { return Self.notFound }
        let photo = photos[place]
        let path = "/images/\(id)/\(name)"
        guard let rendition = DemoPhoto.Rendition.all.first(where: { photo.path($0) == path }) else {
            return Self.notFound
        }
        var format = photo.format
        format.quality = rendition.quality
        return file(path, photo.painting, width: photo.width(rendition), format, photo.created, request)
    }

    private func artwork(_ name: String, _ request: OriginRequest) -> OriginReply {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "jpg", let dash = parts[0].firstIndex(of: "-") else { return Self.notFound }
        let digits = parts[0][parts[0].index(after: dash)...]
        guard let number = Int(digits), String(number) == digits else { return Self.notFound }
        let covers = ["album": DemoCatalog.albumCover, "track": DemoCatalog.trackCover]
        guard let painting = covers[String(parts[0][..<dash])]?(number) else { return Self.notFound }
        let date = DemoDate(seconds: 1_700_000_000 + number * 86400)
        return file("/artwork/\(name)", painting, width: painting.width, PictureFormat(.jpeg), date, request)
    }

    /// A picture's bytes, painted and encoded when they are asked for the first time.
    private func file(
        _ path: String, _ painting: Painting, width: Int, _ format: PictureFormat, _ date: DemoDate,
        _ request: OriginRequest
    ) -> OriginReply {
        do {
            let file = try cache.file(path) {
                try encode(painting.picture(width: width).stored(asOrientation: format.exifOrientation), format)
            }
            let headers = [
                OriginHeader("ETag", file.tag), OriginHeader("Last-Modified", date.http),
                OriginHeader("Cache-Control", "public, max-age=31536000"),
            ]
            return OriginReply(type: format.kind.mediaType, file.bytes, headers: headers).obeying(request)
        } catch {
            return Self.refusal(500, "the picture could not be encoded: \(error)")
        }
    }
}
