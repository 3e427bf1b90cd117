// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceOrigin
internal import SluiceStore

/// Answers requests for a mirror's files.
///
/// Hidden files and settings are not served.
struct SiteRouter: OriginService {
    /// The page served at `/`.
    static let frontPage = "index.html"
    /// Larger files are streamed.
    ///
    /// Smaller text files are sent compressed if the client accepts that.
    private static let maxBufferedBytes = 4 << 20

    let store: any Store
    let updates: GalleryUpdates
    /// Whether requests with any host name are answered.
    ///
    /// A server for this machine accepts only the machine's own names. Otherwise a web page could point its own host
    /// name here and read the mirror (DNS rebinding).
    let isPublic: Bool

    func reply(to request: OriginRequest) -> OriginReply {
        var reply = answer(to: request)
        reply.headers += [
            OriginHeader("X-Content-Type-Options", "nosniff"), OriginHeader("Referrer-Policy", "no-referrer"),
            OriginHeader("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        return reply
    }

    private func answer(to request: OriginRequest) -> OriginReply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text(
                "Only GET and HEAD are supported.\n", status: 405, headers: [OriginHeader("Allow", "GET, HEAD")])
        }
        guard isPublic || Self.isLocal(request.header("Host")) else {
            return .text("This server accepts requests from this machine only.\n", status: 403)
        }
        if request.path == "/\(GalleryUpdates.path)" { return updates.reply }
        // Browsers request it from every site, and log an error if it is missing.
        if request.path == "/favicon.ico" { return OriginReply(status: 204) }
        guard let name = Self.name(of: request.path), let file = try? store.openWithStamp(name) else {
            return .text("This mirror has no such file.\n", status: 404)
        }
        return (try? reply(with: file, called: name, to: request)) ?? .text("The file cannot be read.\n", status: 500)
    }

    private func reply(
        with stamped: consuming StampedFile, called name: String, to request: OriginRequest
    ) throws(FileError) -> OriginReply {
        let type = MediaType(ofFile: name)
        let stamp = stamped.stamp
        let file = stamped.take()
        var reply = OriginReply(headers: [
            OriginHeader("Content-Type", type.name), OriginHeader("Cache-Control", "no-cache"),
            OriginHeader("ETag", "\"\(stamp)\""),
        ])
        guard type.isText, try file.size <= Self.maxBufferedBytes else {
            reply.stream = try FileStream(file)
            return reply.applyingConditions(of: request)
        }
        reply.body = try file.read(at: 0, count: Self.maxBufferedBytes)
        if name == Self.frontPage { reply.body = GalleryUpdates.addingVersion(stamp, to: reply.body) }
        // A client that requests a range resumes a download and needs the uncompressed bytes.
        return request.header("Range") == nil
            ? reply.compressed(for: request).applyingConditions(of: request) : reply.applyingConditions(of: request)
    }

    /// The file that a URL path names; `nil` if the path is invalid or must not be served.
    static func name(of path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        if path == "/" { return frontPage }
        // Settings may contain an API key.
        if path == "/\(SettingsFile.name)" { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // Hidden files include the ledger and partial downloads.
        guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return nil }
        return parts.joined(separator: "/")
    }

    /// Whether the value of a `Host` field names this machine.
    static func isLocal(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost")
            || name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
    }
}

/// Streams a file's content.
private final class FileStream: OriginStream {
    let length: Int?
    private let file: OpenFile

    init(_ file: consuming OpenFile) throws(FileError) {
        length = try file.size
        self.file = file
    }

    func read(at offset: Int, count: Int) -> OriginReadResult {
        guard let bytes = try? file.read(at: offset, count: count), !bytes.isEmpty else { return .end }
        return .bytes(bytes)
    }
}

/// The media type of a mirror's file, derived from its file extension.
struct MediaType: Sendable, Hashable {
    /// The value of the `Content-Type` field, with the charset for text.
    let name: String
    /// Whether the content is text, which compresses well.
    let isText: Bool

    private static let texts = [
        "html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json",
        "jsonl": "application/x-ndjson", "csv": "text/csv", "txt": "text/plain",
    ]

    /// The type for a file's extension.
    ///
    /// Sluice chooses extensions by content, so they are reliable.
    init(ofFile file: String) {
        let fileExtension = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        isText = Self.texts[fileExtension] != nil
        // XML pictures, such as SVG, and documents may contain scripts, which would have access to the mirror.
        let picture = ImageFormat(fileExtension: fileExtension)
            .flatMap { !$0.isPicture || $0.mediaType.hasSuffix("+xml") ? nil : $0.mediaType }
        name = Self.texts[fileExtension].map { "\($0); charset=utf-8" } ?? picture ?? "application/octet-stream"
    }
}
