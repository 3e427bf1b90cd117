// SPDX-License-Identifier: MIT

internal import SluiceModel
package import SluiceOrigin

/// The built-in photo service: 300 generated photos.
///
/// It offers an Unsplash-like API (`/photos`, `/photos/ID`). Its URLs always begin with ``address``, on whatever port
/// it is served, so that two mirrors of it have the same manifest. A `per_page` above 30 counts as 30; the service
/// answers any other invalid parameter with 400.
package struct DemoService: OriginService {
    /// The service's host name; only a connection override resolves it.
    package static let host = "photos.sluice.test"
    /// The prefix of all of the service's URLs.
    package static let address = "http://\(host)"
    package static let count = 300

    private let encode: BitmapEncoder
    private let cache: PictureCache
    private let photos: [DemoPhoto]
    private let indices: [String: Int]

    /// Creates the service; `cacheLimit` bounds the cached encoded pictures, in bytes.
    package init(cacheLimit: Int = 64 << 20, encode: @escaping BitmapEncoder) {
        self.encode = encode
        cache = PictureCache(limit: cacheLimit)
        photos = (1...Self.count).map(DemoPhoto.init(number:))
        indices = Dictionary(photos.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    package func reply(to request: OriginRequest) -> OriginReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return Self.errorReply(405, "only GET and HEAD work here", headers: [OriginHeader("Allow", "GET, HEAD")])
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (parts.first, parts.count) {
        case ("photos", 1): return list(request)
        case ("photos", 2): return detail(String(parts.last ?? ""))
        case ("images", 3): return image(String(parts.dropFirst().first ?? ""), String(parts.last ?? ""), request)
        default: return Self.notFound
        }
    }

    private static let notFound = errorReply(404, "Couldn't find the resource")

    private static func errorReply(_ status: Int, _ problem: String, headers: [OriginHeader] = []) -> OriginReply {
        var json = JSONWriter()
        json.object { $0.array("errors") { $0.value(problem) } }
        return OriginReply(status: status, type: "application/json", json.bytes, headers: headers)
    }

    private func list(_ request: OriginRequest) -> OriginReply {
        guard let paging = DemoPaging(request) else {
            return Self.errorReply(
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
        guard let index = indices[id] else { return Self.errorReply(404, "Couldn't find Photo") }
        var json = JSONWriter()
        photos[index].write(to: &json, base: Self.address)
        return OriginReply(type: "application/json", json.bytes)
    }

    private func image(_ id: String, _ name: String, _ request: OriginRequest) -> OriginReply {
        guard let index = indices[id] else { return Self.notFound }
        let photo = photos[index]
        let path = "/images/\(id)/\(name)"
        guard let rendition = DemoPhoto.Rendition.all.first(where: { photo.path($0) == path }) else {
            return Self.notFound
        }
        var format = photo.format
        format.quality = rendition.quality
        do {
            // The file is generated and encoded on its first request.
            let file = try cache.file(path) {
                let bitmap = photo.picture.bitmap(width: photo.width(rendition))
                return try encode(bitmap.stored(asOrientation: format.exifOrientation), format)
            }
            let headers = [
                OriginHeader("ETag", file.tag), OriginHeader("Last-Modified", photo.created.httpText),
                OriginHeader("Cache-Control", "public, max-age=31536000"),
            ]
            return OriginReply(type: format.kind.mediaType, file.bytes, headers: headers).applyingConditions(
                of: request)
        } catch {
            return Self.errorReply(500, "cannot encode the picture: \(error)")
        }
    }
}

/// A cache of encoded pictures by path, bounded in bytes, that forgets all of them when it is full.
final class PictureCache: Sendable {
    /// A file's bytes and its `ETag`.
    struct File: Sendable {
        let bytes: [UInt8]
        let tag: String
    }

    private let limit: Int
    private let state = Locked((files: [String: File](), bytes: 0))

    init(limit: Int) { self.limit = limit }

    /// Returns the file at a path; calls `make` outside the lock if it is not cached.
    func file(_ path: String, make: () throws -> [UInt8]) rethrows -> File {
        if let cached = state.withLock({ $0.files[path] }) { return cached }
        let bytes = try make()
        let file = File(bytes: bytes, tag: "\"\(String(Self.hash(bytes), radix: 16))\"")
        state.withLock { state in
            if state.bytes + bytes.count > limit { state = ([:], 0) }
            state.files[path] = file
            state.bytes += bytes.count
        }
        return file
    }

    /// Returns a file's hash, computed eight bytes at a time because debug builds are slow.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var hash = UInt64(bytes.count)
            var at = 0
            while at + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                at += 8
            }
            while at < bytes.count {
                hash = unsafe (hash ^ UInt64(bytes[at])) &* 0x9E37_79B9_7F4A_7C15
                at += 1
            }
            return SplitMix64.mix(hash)
        }
    }
}
