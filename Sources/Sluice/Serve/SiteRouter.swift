// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
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
    /// The host names that requests may have.
    let names: SiteNames
    /// What accepts marks; `nil` if the gallery is only shown.
    var editor: GalleryEditor?

    func reply(to request: OriginRequest) -> OriginReply {
        var reply = answer(to: request)
        if reply.header(ServedContent.policyField) == nil {
            reply.headers.append(OriginHeader(ServedContent.policyField, ServedContent.inert.policy))
        }
        // Browsers complain about it on addresses of other machines, which are not https.
        if !names.isPublic { reply.headers.append(OriginHeader("Cross-Origin-Opener-Policy", "same-origin")) }
        reply.headers += [
            OriginHeader("X-Content-Type-Options", "nosniff"), OriginHeader("Referrer-Policy", "no-referrer"),
            OriginHeader("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        return reply
    }

    private func answer(to request: OriginRequest) -> OriginReply {
        let host = names.kind(of: request.headers(named: "Host"))
        if let editor, host != .refused, GalleryEditor.paths.contains(request.path) {
            return editor.reply(to: request, at: host)
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text(
                "Only GET and HEAD are supported.\n", status: 405, headers: [OriginHeader("Allow", "GET, HEAD")])
        }
        guard host != .refused else {
            return .text("This server does not answer requests for this host.\n", status: 403)
        }
        // A mirror from someone else must not install a worker, which would outlive its page.
        guard !Self.isWorker(request) else { return .text("Workers are not served.\n", status: 404) }
        if request.path == "/\(GalleryUpdates.path)" { return updates.reply }
        // Browsers request it from every site, and log an error if it is missing.
        if request.path == "/favicon.ico" { return OriginReply(status: 204) }
        guard let file = Self.name(of: request.path) else {
            return .text("This mirror has no such file.\n", status: 404)
        }
        let content = ServedContent(ofFile: file)
        // A page must not run at a name that it shares with other mirrors.
        if host == .shared, content.isPage, request.header("Sec-Fetch-Mode") != nil,
            let address = names.ownAddress(for: request)
        {
            return OriginReply(status: 307, headers: [OriginHeader("Location", address)])
        }
        guard let stamped = try? store.openWithStamp(file) else {
            return .text("This mirror has no such file.\n", status: 404)
        }
        var answer =
            (try? reply(with: stamped, called: file, content, to: request))
            ?? .text("The file cannot be read.\n", status: 500)
        let policy = host == .shared ? content.sandboxedPolicy : content.policy
        answer.headers.append(OriginHeader(ServedContent.policyField, policy))
        return answer
    }

    /// Whether a browser requests a script for a worker of any kind, or content to embed.
    private static func isWorker(_ request: OriginRequest) -> Bool {
        if request.header("Service-Worker") != nil { return true }
        guard let destination = request.header("Sec-Fetch-Dest")?.lowercased() else { return false }
        return [
            "serviceworker", "worker", "sharedworker", "audioworklet", "paintworklet", "frame", "iframe", "object",
            "embed",
        ].contains(destination)
    }

    private func reply(
        with stamped: consuming StampedFile, called name: String, _ content: ServedContent, to request: OriginRequest
    ) throws(FileError) -> OriginReply {
        let type = MediaType(ofFile: name, content)
        let stamp = stamped.stamp
        let file = stamped.take()
        var reply = OriginReply(headers: [
            OriginHeader("Content-Type", type.name), OriginHeader("Cache-Control", "no-cache"),
            OriginHeader("ETag", "\"\(stamp)\""),
        ])
        if type.isOpaque { reply.headers.append(OriginHeader("Content-Disposition", "attachment")) }
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
}

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
