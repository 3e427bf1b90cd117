// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A browser's DevTools protocol: commands with their replies, and events.
final class DevTools: Sendable {
    /// Something that happened in the browser or in one of its sessions.
    struct Event: Sendable {
        let method: String
        let parameters: JSON
        /// The session of the page, frame or worker; `nil` for the browser itself.
        let session: String?
    }

    private struct State {
        var lastID = 0
        var waiting: [Int: OneShot<Result<JSON, Failure>>] = [:]
        var handler: (@Sendable (Event) -> Void)?
        var failure: Failure?
    }

    private let process: BrowserProcess
    private let state: Locked<State>

    /// Whether the browser has no network of its own.
    var isIsolated: Bool { process.isIsolated }

    /// Starts a browser, and waits until it answers.
    init(_ browser: InstalledBrowser, token: CancellationToken) async throws(Failure) {
        let state = Locked(State())
        self.state = state
        process = try await DedicatedThread.run {
            Result { () throws(Failure) in
                try BrowserProcess.start(browser) { message in
                    if let message {
                        Self.receive(message, state)
                    } else {
                        Self.end(state, .browser("the browser has ended"))
                    }
                }
            }
        }.get()
        do throws(Failure) { _ = try await command("Browser.getVersion", token: token) } catch {
            let words = process.messages
            process.end()
            throw error.cause == .cancelled ? error : Self.explained(error, words)
        }
    }

    func close() {
        Self.end(state, .browser("the browser was closed"))
        process.end()
    }

    /// Sets the function that receives events in order; it must return quickly.
    func onEvent(_ handler: @escaping @Sendable (Event) -> Void) { state.withLock { $0.handler = handler } }

    /// Sends a command and waits for its reply.
    @discardableResult
    func command(
        _ method: String, _ parameters: [(String, JSON)] = [], in session: String? = nil,
        within time: Duration = .seconds(60), token: CancellationToken
    ) async throws(Failure) -> JSON {
        try token.check()
        let reply = OneShot<Result<JSON, Failure>>()
        send(method, parameters, session, reply)
        let handler = token.onCancel { reply.set(.failure(Failure($0, ""))) }
        let timer = DeadlineTimer()
        timer.set(.now + time) {
            reply.set(.failure(Failure(.timeout, "the browser did not answer within \(time)")))
        }
        let result = await reply.value()
        withExtendedLifetime((handler, timer)) {}
        return try result.get()
    }

    /// Sends a command whose reply does not matter.
    func post(_ method: String, _ parameters: [(String, JSON)] = [], in session: String? = nil) {
        send(method, parameters, session, nil)
    }

    private func send(
        _ method: String, _ parameters: [(String, JSON)], _ session: String?,
        _ reply: OneShot<Result<JSON, Failure>>?
    ) {
        let (id, failure) = state.withLock { state in
            state.lastID += 1
            if state.failure == nil { state.waiting[state.lastID] = reply }
            return (state.lastID, state.failure)
        }
        if let failure {
            reply?.set(.failure(failure))
            return
        }
        var writer = JSONWriter()
        writer.object { message in
            message.member("id", id)
            message.member("method", method)
            message.member("params", json: .object(parameters.map { JSON.Member(name: $0.0, value: $0.1) }))
            message.member("sessionId", session)
        }
        process.send(writer.bytes)
    }

    private static func receive(_ bytes: [UInt8], _ state: Locked<State>) {
        guard let message = try? JSON(parsing: bytes) else { return }
        if let id = message["id"]?.integer {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
            guard let error = message["error"] else {
                waiting?.set(.success(message["result"] ?? .null))
                return
            }
            waiting?.set(.failure(Failure(.scripts, "the browser: \(error["message"]?.text ?? "unknown error")")))
        } else if let method = message["method"]?.text {
            let handler = state.withLock { $0.handler }
            handler?(
                Event(
                    method: method, parameters: message["params"] ?? .null, session: message["sessionId"]?.text))
        }
    }

    private static func end(_ state: Locked<State>, _ failure: Failure) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.handler) = ([:], nil) }
            state.failure = state.failure ?? failure
            return Array(state.waiting.values)
        }
        for reply in waiting { reply.set(.failure(failure)) }
    }

    /// Returns the failure of a browser that ends at once, with what its messages say.
    private static func explained(_ failure: Failure, _ words: String) -> Failure {
        if words.contains("No usable sandbox") {
            return .browser(
                "cannot start the browser: its sandbox needs user namespaces, which this system forbids; allow them, or install the package chromium-sandbox"
            )
        }
        let line = words.split(separator: "\n").last { $0.contains("FATAL") || $0.contains("ERROR") } ?? ""
        return .browser("cannot start the browser: \(failure.detail)\(line.isEmpty ? "" : ": \(line)")")
    }
}
