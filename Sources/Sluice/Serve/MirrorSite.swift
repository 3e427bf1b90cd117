// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceOrigin

/// What a mirror's folder looks like from the web: its files, and nothing that is hidden.
struct MirrorSite: OriginService {
    /// The page that `/` shows.
    static let front = "index.html"
    /// Longer files go out as they are read; shorter ones are packed, where packing helps.
    private static let longest = 4 << 20

    let folder: Folder
    let news: LiveNews
    /// Whether it answers to any name.
    ///
    /// One for this machine alone answers to the machine's own names, or a page from elsewhere could have its name lead
    /// here, and read the mirror.
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
            return .text("Only GET and HEAD are served.\n", status: 405, headers: [OriginHeader("Allow", "GET, HEAD")])
        }
        guard isPublic || Self.isLocal(request.header("Host")) else {
            return .text("This server is for this machine alone.\n", status: 403)
        }
        if request.path == "/\(LiveNews.path)" { return news.reply }
        // Browsers ask every site for it, and complain where there is none.
        if request.path == "/favicon.ico" { return OriginReply(status: 204) }
        guard let name = Self.name(of: request.path), let file = try? folder.openForReading(name) else {
            return .text("There is no such file in this mirror.\n", status: 404)
        }
        return (try? reply(with: file, called: name, to: request)) ?? .text("It cannot be read.\n", status: 500)
    }

    private func reply(
        with file: consuming OpenFile, called name: String, to request: OriginRequest
    ) throws(FileError) -> OriginReply {
        let type = MediaType(ofFile: name)
        let stamp = try file.stamp
        var reply = OriginReply(headers: [
            OriginHeader("Content-Type", type.name), OriginHeader("Cache-Control", "no-cache"),
            OriginHeader("ETag", "\"\(stamp)\""),
        ])
        guard type.isText, try file.size <= Self.longest else {
            reply.stream = try FileStream(file)
            return reply.obeying(request)
        }
        reply.body = try file.read(at: 0, count: Self.longest)
        if name == Self.front { reply.body = LiveNews.marked(reply.body, stamp: stamp) }
        // A part of a text is asked for by those who go on with a download, and they want it as it is.
        return request.header("Range") == nil ? reply.packed(for: request).obeying(request) : reply.obeying(request)
    }

    /// The file that a path of an address names; `nil` for what is none of the web's business.
    static func name(of path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        if path == "/" { return front }
        // Options may hold a key.
        if path == "/\(SettingsFile.name)" { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // Hidden are the ledger, downloads under way, and whatever else a user hides.
        guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return nil }
        return parts.joined(separator: "/")
    }

    /// Whether a `Host` field names this machine.
    static func isLocal(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost")
            || name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
    }
}

/// A file that is read while it goes out.
private final class FileStream: OriginStream {
    let length: Int?
    private let file: OpenFile

    init(_ file: consuming OpenFile) throws(FileError) {
        length = try file.size
        self.file = file
    }

    func read(at offset: Int, count: Int) -> OriginPiece {
        guard let bytes = try? file.read(at: offset, count: count), !bytes.isEmpty else { return .end }
        return .bytes(bytes)
    }
}
