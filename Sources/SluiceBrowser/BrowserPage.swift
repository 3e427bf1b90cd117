// SPDX-License-Identifier: MIT

package import SluiceModel
package import SluiceTransfer

/// A web page in the browser, which is read in batches while it is scrolled.
///
/// One batch is read at a time. Nothing happens between two batches, so a run that is busy with photos lets the page
/// wait.
package final class BrowserPage: Sendable {
    /// What a page shows that earlier batches do not have.
    package struct Batch: Sendable {
        /// The new elements with those around them, as a document.
        package var html: [UInt8]
        /// The address of the page, which its scripts may have changed.
        package var address: String
        /// Whether further batches have nothing new.
        package var isLast = false
    }

    /// The time after which a page is read although it still loads.
    private static let loadingTime = Duration.seconds(30)
    /// The steps through parts of a page that show nothing new, after which it is left.
    private static let maxSteps = 2000
    /// How often the end of the page is looked at before it counts as such.
    private static let maxEnds = 2

    /// The name of the world of the script that reads the page.
    private static let world = "sluice"

    private struct Open {
        let devTools: DevTools
        let gate: RequestGate
        let session: String
        let frame: String
    }

    private struct State {
        var open: Open?
        /// Ends the browser with the run.
        var handler: CancellationToken.Handler?
    }

    private let browser: InstalledBrowser
    private let address: WebAddress
    private let transfers: Transfers
    private let state = Locked(State())

    /// Makes a page of an address, which is loaded for the first batch.
    package init(_ address: WebAddress, in browser: InstalledBrowser, through transfers: Transfers) {
        (self.address, self.browser, self.transfers) = (address, browser, transfers)
    }

    deinit { close() }

    package func close() {
        let open = state.withLock { state in
            defer { (state.open, state.handler) = (nil, nil) }
            return state.open
        }
        open?.devTools.close()
    }

    /// Returns the next batch; `loaded` is the page's own reply, if it was received already.
    package func next(loaded: Response? = nil, token: CancellationToken) async throws(Failure) -> Batch {
        do throws(Failure) {
            guard let open = state.withLock({ $0.open }) else {
                return try await first(loaded, token: token)
            }
            return try await more(of: open, token: token)
        } catch {
            close()
            throw error
        }
    }

    /// Loads the page and returns its first batch.
    private func first(_ loaded: Response?, token: CancellationToken) async throws(Failure) -> Batch {
        let open = try await open(loaded, token: token)
        let reply = try await open.devTools.command(
            "Page.navigate", [("url", .string(address.text))], in: open.session, token: token)
        if let problem = reply["errorText"]?.text {
            throw Failure(.scripts, "the browser cannot load the page: \(problem)", finalURL: address.text)
        }
        try await settle(open, after: .milliseconds(500), token: token)
        return try await read(open, token: token).batch
    }

    /// Scrolls until the page shows something new.
    private func more(of open: Open, token: CancellationToken) async throws(Failure) -> Batch {
        var ends = 0
        for _ in 0..<Self.maxSteps {
            let step = try await evaluate("sluice.advance()", open, token: token).text
            // Pages often wait for the end of a scroll before they load.
            let time: Duration = step == "scrolled" ? .milliseconds(150) : ends == 0 ? .milliseconds(500) : .seconds(1)
            try await settle(open, after: time, token: token)
            let (batch, found) = try await read(open, token: token)
            if found > 0 { return batch }
            ends = step == "end" ? ends + 1 : 0
            if ends == Self.maxEnds { break }
        }
        var (last, _) = try await read(open, token: token)
        last.isLast = true
        close()
        return last
    }

    /// Waits until the page rests: no request is in flight or begins, and its scripts have nothing to do.
    private func settle(_ open: Open, after time: Duration, token: CancellationToken) async throws(Failure) {
        let end = ContinuousClock.now + Self.loadingTime
        var (time, changes) = (time, -1)
        while .now < end, changes != open.gate.changes {
            try await open.gate.waitUntilQuiet(time, limit: end - .now, token: token)
            changes = open.gate.changes
            _ = try await evaluate("sluice.settle()", open, token: token)
            time = .milliseconds(50)
        }
    }

    private func read(_ open: Open, token: CancellationToken) async throws(Failure) -> (batch: Batch, found: Int) {
        let value = try await evaluate("sluice.read()", open, token: token)
        var html = Array((value["html"]?.text ?? "").utf8)
        for data in open.gate.takeData() {
            html += "<script type=\"application/json\">".utf8
            // No text of JSON has this character outside of a string.
            for byte in data { if byte == UInt8(ascii: "<") { html += #"\u003c"#.utf8 } else { html.append(byte) } }
            html += "</script>".utf8
        }
        return (Batch(html: html, address: value["address"]?.text ?? address.text), value["found"]?.integer ?? 0)
    }

    /// Evaluates an expression beside the page's scripts, which cannot reach it.
    private func evaluate(_ expression: String, _ open: Open, token: CancellationToken) async throws(Failure) -> JSON {
        var attempt = 0
        while true {
            attempt += 1
            do throws(Failure) {
                let world = try await open.devTools.command(
                    "Page.createIsolatedWorld",
                    [("frameId", .string(open.frame)), ("worldName", .string(Self.world))], in: open.session,
                    token: token)
                let reply = try await open.devTools.command(
                    "Runtime.evaluate",
                    [
                        ("expression", .string(expression)), ("returnByValue", .bool(true)),
                        ("awaitPromise", .bool(true)),
                        ("contextId", world["executionContextId"] ?? .null),
                    ], in: open.session, token: token)
                if let problem = reply["exceptionDetails"] {
                    let text = problem["exception"]?["description"]?.text ?? problem["text"]?.text ?? ""
                    throw Failure(.scripts, "the browser cannot read the page: \(text)", finalURL: address.text)
                }
                return reply["result"]?["value"] ?? .null
            } catch {
                // A page that leads to another one loses its world.
                guard error.cause == .scripts, error.scope == .item, attempt < 5 else { throw error }
                try await open.gate.waitUntilQuiet(.milliseconds(500), limit: Self.loadingTime, token: token)
            }
        }
    }
}

// MARK: Opening

extension BrowserPage {
    /// Starts the browser, and lets the gate have all requests of the page.
    private func open(_ loaded: Response?, token: CancellationToken) async throws(Failure) -> Open {
        let devTools = try await DevTools(browser, token: token)
        state.withLock { $0.handler = token.onCancel { _ in devTools.close() } }
        do throws(Failure) {
            let targets = try await devTools.command("Target.getTargets", token: token)["targetInfos"]?.elements
            guard let frame = targets?.first(where: { $0["type"]?.text == "page" })?["targetId"]?.text else {
                throw .browser("the browser has no page")
            }
            let gate = RequestGate(
                devTools, transfers, frame: frame, page: address, loaded: loaded, token: token)
            devTools.onEvent { [weak devTools] event in
                if let devTools { Self.handle(event, devTools, gate, page: frame) }
            }
            try await devTools.command(
                "Browser.setDownloadBehavior", [("behavior", .string("deny"))], token: token)
            let attached = try await devTools.command(
                "Target.attachToTarget", [("targetId", .string(frame)), ("flatten", .bool(true))], token: token)
            guard let session = attached["sessionId"]?.text else { throw .browser("the browser has no page") }
            try await prepare(session, devTools, token: token)
            let open = Open(devTools: devTools, gate: gate, session: session, frame: frame)
            state.withLock { $0.open = open }
            return open
        } catch {
            devTools.close()
            throw error
        }
    }

    /// Sets up the session of the page before it loads anything.
    private func prepare(_ session: String, _ devTools: DevTools, token: CancellationToken) async throws(Failure) {
        let number = { (value: Int) in JSON.number("\(value)") }
        let commands: [(String, [(String, JSON)])] = [
            ("Fetch.enable", Self.everything), ("Target.setAutoAttach", Self.attaching), ("Page.enable", []),
            ("Network.setBypassServiceWorker", [("bypass", .bool(true))]),
            // A high window shows many pictures at each step.
            (
                "Emulation.setDeviceMetricsOverride",
                [
                    ("width", number(1280)), ("height", number(3000)), ("deviceScaleFactor", number(1)),
                    ("mobile", .bool(false)),
                ]
            ),
            ("Emulation.setFocusEmulationEnabled", [("enabled", .bool(true))]),
            ("Page.addScriptToEvaluateOnNewDocument", Self.reader),
            // The browser has no network, but the page has one.
            (
                "Page.addScriptToEvaluateOnNewDocument",
                [("source", .string("Object.defineProperty(Navigator.prototype,'onLine',{get:()=>true})"))]
            ),
        ]
        for (method, parameters) in commands {
            try await devTools.command(method, parameters, in: session, token: token)
        }
        devTools.post("Target.setDiscoverTargets", [("discover", .bool(true))])
    }

    /// Runs the script that reads a page in each document from its start, in the world that is made for it later.
    private static let reader: [(String, JSON)] = [
        ("source", .string(String(decoding: PackageResources.PageReader_js, as: UTF8.self))),
        ("worldName", .string(world)),
    ]

    private static let everything: [(String, JSON)] = [
        ("patterns", .array([.object([JSON.Member(name: "urlPattern", value: .string("*"))])]))
    ]
    private static let attaching: [(String, JSON)] = [
        ("autoAttach", .bool(true)), ("waitForDebuggerOnStart", .bool(true)), ("flatten", .bool(true)),
    ]

    private static func handle(_ event: DevTools.Event, _ devTools: DevTools, _ gate: RequestGate, page: String) {
        switch event.method {
        case "Fetch.requestPaused": gate.receive(event)
        case "Target.attachedToTarget":
            // A frame or a worker waits until its requests are paused, too. A worker that cannot have them paused has
            // no network.
            guard let session = event.parameters["sessionId"]?.text,
                event.parameters["targetInfo"]?["targetId"]?.text != page
            else { return }
            devTools.post("Fetch.enable", everything, in: session)
            devTools.post("Target.setAutoAttach", attaching, in: session)
            devTools.post("Runtime.runIfWaitingForDebugger", in: session)
        case "Target.targetCreated":
            // A window that the page opens.
            let target = event.parameters["targetInfo"]
            guard target?["type"]?.text == "page", let id = target?["targetId"]?.text, id != page else { return }
            devTools.post("Target.closeTarget", [("targetId", .string(id))])
        case "Page.javascriptDialogOpening":
            devTools.post("Page.handleJavaScriptDialog", [("accept", .bool(false))], in: event.session)
        case "Inspector.targetCrashed": devTools.close()
        default: break
        }
    }
}
