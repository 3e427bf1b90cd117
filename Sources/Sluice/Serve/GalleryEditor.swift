// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel
internal import SluiceOrigin
internal import SluiceTransfer

/// Accepts the marks that a user makes in a served gallery: ratings, captions, tags and rejected photos.
///
/// A request needs the token that only this server's address has, and comes from the mirror's own page. It names the
/// revision that the page knows, so that an earlier request cannot be sent again. All marks go to the mirror's journal.
/// A moment after the last one, the editor opens the mirror, which takes them to the ledger and writes the gallery.
/// While another command holds the mirror, they wait for that command or the next one.
final class GalleryEditor: Sendable {
    /// The path of the marks, below the mirror.
    static let path = "gallery/marks"
    /// The path of the script that sends marks.
    ///
    /// It is Sluice's own, whatever a mirror from someone else has there.
    static let scriptPath = "gallery/edit.js"
    /// The paths of requests that the editor answers.
    static let paths: TextSet = ["/\(path)", "/\(scriptPath)"]
    static let tokenField = "X-Sluice-Token"
    private static let maximumBody = 32 << 10
    private static let maximumMarks = 200
    private static let pause = Duration.seconds(2)

    private struct State {
        /// The number of accepted requests.
        var revision = 0
        /// Whether marks wait in the journal.
        var isPending = false
        /// The pause before the mirror is opened: ten times as long as that took last, so that it is mostly free.
        var pause = GalleryEditor.pause
    }

    /// The secret that requests must have.
    let token = SHA256.digest(of: (0..<32).map { _ in UInt8.random(in: 0...255) })
    private let mirror: String
    private let folder: Folder
    private let journal: MarkJournal
    private let log: @Sendable (String) -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "sluice.serve.marks")

    /// Prepares the editing of the mirror in a folder; `log` gets each mark as a line of JSON, and errors.
    init(of mirror: String, in folder: Folder, log: @escaping @Sendable (String) -> Void) throws(MirrorError) {
        (self.mirror, self.folder, self.log) = (mirror, folder, log)
        journal = MarkJournal(in: folder)
        // An older ledger gets its columns now, and marks of an earlier server are taken up.
        do throws(MirrorError) { try PhotoMirror.complete(mirror) } catch { if error.code != .locked { throw error } }
    }

    /// Answers a request for the script or the marks, or one to add some.
    func reply(to request: OriginRequest, at host: SiteNames.Kind) -> OriginReply {
        if request.path == "/\(Self.scriptPath)", request.method == "GET" {
            return OriginReply(
                type: "text/javascript; charset=utf-8", GalleryWriter.editScript,
                headers: [OriginHeader("Cache-Control", "no-cache")])
        }
        guard host == .own, isFromOwnPage(request), hasToken(request) else { return refusal(403, "not allowed") }
        switch request.method {
        case "GET":
            let revision = state.withLock { $0.revision }
            return answer(revision) { object in
                object.array("marks") { list in
                    for mark in journal.content.marks { list.object { mark.write(to: &$0) } }
                }
            }
        case "POST": return accept(request)
        default: return refusal(405, "not supported")
        }
    }

    /// Whether the browser says that a page of this mirror sends the request.
    private func isFromOwnPage(_ request: OriginRequest) -> Bool {
        let own = "http://\(request.header("Host") ?? "")"
        let origins = request.headers(named: "Origin")
        let sites = request.headers(named: "Sec-Fetch-Site")
        guard origins.allSatisfy({ $0 == own }), sites.allSatisfy({ $0 == "same-origin" }) else { return false }
        return request.method == "GET" ? origins.count <= 1 : origins.count == 1
    }

    /// Compares digests, so that the time of the comparison tells nothing about the token.
    private func hasToken(_ request: OriginRequest) -> Bool {
        let tokens = request.headers(named: Self.tokenField)
        return tokens.count == 1 && SHA256.digest(of: Array(tokens[0].utf8)) == SHA256.digest(of: Array(token.utf8))
    }

    /// Stores the marks of a request, or asks the run in the mirror to stop.
    private func accept(_ request: OriginRequest) -> OriginReply {
        guard request.headers(named: "Content-Type") == ["application/json"] else { return refusal(415, "not JSON") }
        guard let length = request.header("Content-Length").flatMap({ Int($0)?.within(Quantity.range) }) else {
            return refusal(411, "no length")
        }
        guard length <= Self.maximumBody else { return refusal(413, "too long") }
        guard length == request.body.count, let json = try? JSON(parsing: request.body),
            case .object(let members) = json, members.count == 2, case .number? = json["revision"],
            let revision = json["revision"]?.quantity
        else { return refusal(400, "not a list of marks") }
        if json["stop"] == .bool(true) { return stopRun(in: revision) }
        guard let elements = json["marks"]?.elements, (1...Self.maximumMarks).contains(elements.count) else {
            return refusal(400, "not a list of marks")
        }
        let marks = elements.compactMap { PhotoMark($0) }
        guard marks.count == elements.count else { return refusal(400, "an invalid mark") }
        // The lock is held while the file is written, so that the revisions are in the order of the marks.
        return state.withLock { state in
            guard revision == state.revision else { return answer(state.revision, status: 409) }
            do {
                guard try areKnown(marks) else { return refusal(404, "an unknown photo") }
                try journal.append(marks)
            } catch {
                log("cannot store marks: \(error)")
                return refusal(503, "cannot store marks now")
            }
            for mark in marks { log(Self.text(of: mark)) }
            state.isPending = true
            return advance(&state)
        }
    }

    private func stopRun(in revision: Int) -> OriginReply {
        state.withLock { state in
            guard revision == state.revision else { return answer(state.revision, status: 409) }
            guard folder.size(of: GalleryProgress.file) != nil else { return refusal(404, "no run is in progress") }
            do throws(FileError) { try folder.write([], to: GalleryProgress.stopFile, flushed: false) } catch {
                log("cannot stop the run: \(error)")
                return refusal(503, "cannot stop the run")
            }
            log("asked the run to stop")
            return advance(&state)
        }
    }

    /// Begins the next revision, at the end of which the mirror is opened.
    private func advance(_ state: inout State) -> OriginReply {
        state.revision += 1
        scheduleUpdate(revision: state.revision, after: state.pause)
        return answer(state.revision)
    }

    private func areKnown(_ marks: [PhotoMark]) throws(LedgerError) -> Bool {
        let ledger = try Ledger(reading: folder)
        defer { ledger.close() }
        for mark in marks { if try ledger.entry(at: mark.seq) == nil { return false } }
        return true
    }

    private func scheduleUpdate(revision: Int, after pause: Duration) {
        queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.update(revision: revision) }
    }

    /// Takes the marks to the ledger and the gallery, unless newer ones have come.
    private func update(revision: Int) {
        guard state.withLock({ $0.isPending && $0.revision == revision }) else { return }
        let start = ContinuousClock.now
        do throws(MirrorError) {
            try PhotoMirror.complete(mirror)
            state.withLock { state in
                state.isPending = state.revision != revision
                state.pause = max(Self.pause, (.now - start) * 10)
            }
        } catch {
            guard error.code != .locked else { return scheduleUpdate(revision: revision, after: Self.pause) }
            log(error.message)
        }
    }

    /// Takes the last marks to the ledger, if no other command holds the mirror.
    func stop() { queue.sync { update(revision: state.withLock { $0.revision }) } }

    private func answer(
        _ revision: Int, status: Int = 200, _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> OriginReply {
        var writer = JSONWriter()
        writer.object { object in
            object.member("revision", revision)
            members(&object)
        }
        return .json(
            String(decoding: writer.bytes, as: UTF8.self), status: status,
            headers: [OriginHeader("Cache-Control", "no-store")])
    }

    private func refusal(_ status: Int, _ reason: String) -> OriginReply { .text("\(reason)\n", status: status) }

    private static func text(of mark: PhotoMark) -> String {
        var writer = JSONWriter()
        writer.object { mark.write(to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
