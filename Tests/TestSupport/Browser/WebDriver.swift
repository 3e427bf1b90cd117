// SPDX-License-Identifier: MIT

internal import Foundation

/// Calls `body` with a browser that has a window of this size, and ends the browser afterwards.
///
/// A browser that is not ended outlives its test, since a killed driver leaves it behind.
public func withBrowser(
    width: Int = 1280, height: Int = 800, isTouch: Bool = false, _ body: (WebDriver) async throws -> Void
) async throws {
    let browser = try await WebDriver(width: width, height: height, isTouch: isTouch)
    do {
        try await body(browser)
    } catch {
        await browser.quit()
        throw error
    }
    await browser.quit()
}

/// A headless Chromium, driven through the WebDriver protocol.
public final class WebDriver {
    private let process: DriverProcess
    private var session = ""

    /// Starts a browser with a window of this size.
    fileprivate init(width: Int, height: Int, isTouch: Bool) async throws {
        process = try DriverProcess()
        var arguments = [
            // Not /dev/shm: in containers it is often too small for a page.
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=\(width),\(height)",
        ]
        // Chromium's own sandbox does not work for root.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        var options: [String: Any] = ["args": arguments]
        if isTouch {
            let metrics: [String: Any] = ["width": width, "height": height, "pixelRatio": 2, "touch": true]
            options["mobileEmulation"] = ["deviceMetrics": metrics]
        }
        let capabilities: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
        ]
        let reply = try await send("POST", "session", ["capabilities": ["alwaysMatch": capabilities]])
        guard let id = (reply as? [String: Any])?["sessionId"] as? String else {
            throw BrowserError(description: "no session: \(reply)")
        }
        session = "/session/\(id)"
        if !isTouch {
            try await command(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
                ])
        }
    }

    fileprivate func quit() async {
        _ = try? await send("DELETE", "", nil)
    }

    /// Opens a page.
    public func open(_ address: String) async throws {
        // From an empty page: a URL that differs only in its fragment would not be loaded again.
        _ = try await send("POST", "url", ["url": "about:blank"])
        _ = try await send("POST", "url", ["url": address])
    }

    /// The tab that commands go to.
    public var tab: String {
        get async throws { try await send("GET", "window", nil) as? String ?? "" }
    }

    /// Opens an address in a new tab.
    public func openTab(_ address: String) async throws {
        let tab = try await send("POST", "window/new", ["type": "tab"]) as? [String: Any]
        try await show(tab: tab?["handle"] as? String ?? "")
        try await open(address)
    }

    /// Shows a tab, which hides the others.
    public func show(tab: String) async throws { _ = try await send("POST", "window", ["handle": tab]) }

    /// Evaluates a JavaScript expression in the page.
    public func value<Value>(_ expression: String, as type: Value.Type = Value.self) async throws -> Value {
        let reply = try await send("POST", "execute/sync", ["script": "return \(expression)", "args": []])
        guard let value = reply as? Value else {
            throw BrowserError(description: "\(expression) is \(reply), not of type \(Value.self)")
        }
        return value
    }

    /// Runs statements in the page.
    public func run(_ script: String) async throws {
        _ = try await send("POST", "execute/sync", ["script": script, "args": []])
    }

    /// The violations that axe-core finds in the page, each with its rule and the first element.
    public func accessibilityViolations() async throws -> [String] {
        try await run(String(contentsOfFile: Browser.axe, encoding: .utf8))
        return try await value(
            """
            axe.run(document, { resultTypes: ['violations'] }).then((result) =>
                result.violations.map((found) => `${found.id}: ${found.nodes[0].html}`))
            """)
    }

    /// Runs a scroll statement and waits until the page has handled it and drawn the visible part.
    public func scroll(_ statement: String) async throws {
        let script = """
            \(statement);
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            """
        _ = try await send("POST", "execute/sync", ["script": script, "args": []])
    }

    /// Waits until an expression is true in the page, by polling, because the protocol has no notifications.
    public func wait(for expression: String) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if try await value("Boolean(\(expression))", as: Bool.self) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BrowserError(description: "timed out waiting for \(expression)")
    }

    /// Presses keys in order.
    public func press(_ keys: Key...) async throws {
        let actions = keys.flatMap { key -> [[String: Any]] in
            [["type": "keyDown", "value": key.rawValue], ["type": "keyUp", "value": key.rawValue]]
        }
        _ = try await send("POST", "actions", ["actions": [["type": "key", "id": "keys", "actions": actions]]])
    }

    /// Types a text into the focused element.
    public func type(_ text: String) async throws {
        for character in text { try await press(Key(rawValue: String(character))) }
    }

    /// Clicks the centre of the first element that matches the selector.
    public func click(_ selector: String) async throws {
        let middle: [Double] = try await value(
            """
            (() => { const box = document.querySelector(\(quoted(selector))).getBoundingClientRect();
            return [box.x + box.width / 2 + 0.001, box.y + box.height / 2 + 0.001]; })()
            """)
        let actions: [[String: Any]] = [
            ["type": "pointerMove", "x": Int(middle[0]), "y": Int(middle[1])],
            ["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0],
        ]
        let pointer: [String: Any] = [
            "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": actions,
        ]
        _ = try await send("POST", "actions", ["actions": [pointer]])
    }

    /// Runs a command of the Chrome DevTools protocol.
    @discardableResult
    public func command(_ name: String, _ parameters: [String: Any] = [:]) async throws -> [String: Any] {
        let reply = try await send("POST", "goog/cdp/execute", ["cmd": name, "params": parameters])
        return reply as? [String: Any] ?? [:]
    }

    /// The console messages since the last call.
    public func complaints() async throws -> [String] {
        let entries = try await send("POST", "se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.map { "\($0["message"] ?? $0)" }
    }

    /// The URLs requested since the last call.
    public func requests() async throws -> [String] {
        let entries = try await send("POST", "se/log", ["type": "performance"]) as? [[String: Any]] ?? []
        return try entries.compactMap { entry in
            let message = Data((entry["message"] as? String ?? "").utf8)
            let event = try JSONSerialization.jsonObject(with: message) as? [String: Any]
            let inner = event?["message"] as? [String: Any]
            guard inner?["method"] as? String == "Network.requestWillBeSent" else { return nil }
            let request = (inner?["params"] as? [String: Any])?["request"] as? [String: Any]
            return request?["url"] as? String
        }
    }

    /// Whether a dialog, for example an alert, is open.
    public func hasDialog() async -> Bool {
        (try? await send("GET", "alert/text", nil)) != nil
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    private func send(_ method: String, _ path: String, _ body: [String: Any]?) async throws -> Any {
        let request = LoopbackRequest(
            port: process.port, method: method, path: path.isEmpty ? session : "\(session)/\(path)",
            body: try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data())
        let (status, content) = try request.send()
        let reply = try JSONSerialization.jsonObject(with: content) as? [String: Any]
        guard status == 200, let value = reply?["value"] else {
            throw BrowserError(
                description: "\(method) \(path): \(String(decoding: content.prefix(500), as: UTF8.self))")
        }
        return value
    }
}

/// A key in the notation of the WebDriver protocol.
public struct Key: RawRepresentable, Sendable {
    /// The character that represents the key.
    public let rawValue: String

    /// Creates a key from its character.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Closes the open view.
    public static let escape = Key(rawValue: "\u{E00C}")
    /// Opens the focused element.
    public static let enter = Key(rawValue: "\u{E007}")
    /// Moves to the next element.
    public static let tab = Key(rawValue: "\u{E004}")
    /// Moves left.
    public static let left = Key(rawValue: "\u{E012}")
    /// Moves up.
    public static let up = Key(rawValue: "\u{E013}")
    /// Moves right.
    public static let right = Key(rawValue: "\u{E014}")
    /// Moves down.
    public static let down = Key(rawValue: "\u{E015}")
    /// Moves to the end.
    public static let end = Key(rawValue: "\u{E010}")
    /// Moves to the beginning.
    public static let home = Key(rawValue: "\u{E011}")
}
