// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceStore
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Marks that a user makes in a served gallery, and what other commands make of them.
@Suite("Editing a gallery", .serialized, .timeLimit(.minutes(10))) struct EditTests: MirrorSuite {
    let folder = TemporaryFolder()
    let origin: OriginServer

    init() throws {
        origin = try OriginServer(
            ScriptedService { request in
                OriginReply(type: "image/png", png(UInt8(truncatingIfNeeded: request.path.utf8.last ?? 0), side: 90))
            })
    }

    func prepare(_ options: inout MirrorOptions) { options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)] }

    /// Mirrors a list with this many photos.
    private func mirrorPhotos(_ count: Int) async throws {
        try folder.write(
            (1...count).map {
                #"{"id":"p\#($0)","url":"\#(address($0))","caption":"Photo of lake \#($0)","tags":["lake"]}"# + "\n"
            }
            .joined(), to: "list.jsonl")
        _ = try await mirror("list.jsonl").run()
    }

    private func editor(_ log: @escaping @Sendable (String) -> Void = { _ in }) throws -> GalleryEditor {
        try GalleryEditor(of: out, in: Folder(out), log: log)
    }

    private static let host = "0123.localhost:8000"

    /// Answers a request as the mirror's own page sends it, with changed fields; `nil` leaves a field out.
    private func send(
        _ body: String, to editor: GalleryEditor, method: String = "POST", host: SiteNames.Kind = .own,
        _ changes: [String: String?] = [:]
    ) -> OriginReply {
        var fields: [String: String?] = [
            "Host": Self.host, "Origin": "http://\(Self.host)", "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json", "Content-Length": "\(body.utf8.count)",
            GalleryEditor.tokenField: editor.token,
        ]
        for (name, value) in changes { fields[name] = value }
        let headers = fields.compactMap { name, value in value.map { OriginHeader(name, $0) } }
        return editor.reply(
            to: OriginRequest(method: method, target: "/gallery/marks", headers: headers, body: Array(body.utf8)),
            at: host)
    }

    private func body(_ revision: Int, _ marks: String) -> String { #"{"revision":\#(revision),"marks":[\#(marks)]}"# }

    @Test("Requests of other pages, without the token, sent again, malformed or too long change nothing")
    func refused() async throws {
        try await mirrorPhotos(2)
        let logged = Locked<[String]>([])
        let editor = try editor { line in logged.withLock { $0.append(line) } }
        let good = body(0, #"{"seq":1,"rating":3}"#)
        let wrong: [(Int, [String: String?])] = [
            (403, [GalleryEditor.tokenField: nil]), (403, [GalleryEditor.tokenField: ""]),
            (403, [GalleryEditor.tokenField: String(editor.token.dropLast())]),
            (403, ["Origin": nil]), (403, ["Origin": "null"]), (403, ["Origin": "https://\(Self.host)"]),
            (403, ["Origin": "http://evil.example"]), (403, ["Origin": "http://4567.localhost:8000"]),
            (403, ["Sec-Fetch-Site": "cross-site"]), (403, ["Sec-Fetch-Site": "same-site"]),
            (403, ["Sec-Fetch-Site": "none"]),
            // What a form can send needs no consent of the server.
            (415, ["Content-Type": "text/plain"]), (415, ["Content-Type": nil]),
            (415, ["Content-Type": "application/x-www-form-urlencoded"]),
            (411, ["Content-Length": nil]), (413, ["Content-Length": "99999999"]), (400, ["Content-Length": "3"]),
            (411, ["Content-Length": "-1x"]),
        ]
        for (status, change) in wrong {
            #expect(send(good, to: editor, change).status == status, "\(change)")
        }
        #expect(send(good, to: editor, host: .shared).status == 403)
        #expect(send(good, to: editor, method: "PUT").status == 405)
        for text in [
            "", "{}", "[]", "not JSON", #"{"marks":[{"seq":1,"rating":3}]}"#, body(0, ""), body(0, "{}"),
            body(0, #"{"seq":1,"rating":9}"#), body(0, #"{"seq":1,"rating":3},{"seq":2,"file":"x"}"#),
            #"{"revision":0,"marks":[{"seq":1,"rating":3}],"more":1}"#,
            #"{"revision":"0","marks":[{"seq":1,"rating":3}]}"#,
            body(0, [String](repeating: #"{"seq":1,"rating":3}"#, count: 201).joined(separator: ",")),
        ] {
            #expect(send(text, to: editor).status == 400, "\(text.prefix(80))")
        }
        let long = body(0, #"{"seq":1,"user_caption":""# + String(repeating: "x", count: 33_000) + #""}"#)
        #expect(send(long, to: editor).status == 413)
        #expect(send(body(0, #"{"seq":1,"rating":3},{"seq":3,"rating":3}"#), to: editor).status == 404)
        #expect(try logged.withLock { $0.isEmpty } && MarkJournal(in: Folder(out)).content.size == 0)
        // The same request a second time.
        #expect(send(good, to: editor).status == 200)
        let again = send(good, to: editor)
        #expect(again.status == 409 && String(decoding: again.body, as: UTF8.self) == #"{"revision":1}"#)
        #expect(logged.withLock { $0 } == [#"{"seq":1,"rating":3}"#])
        let marks = send("", to: editor, method: "GET", ["Origin": nil])
        #expect(String(decoding: marks.body, as: UTF8.self) == #"{"revision":1,"marks":[{"seq":1,"rating":3}]}"#)
        #expect(send("", to: editor, method: "GET", [GalleryEditor.tokenField: nil]).status == 403)
        editor.stop()
        #expect(try manifest().map { $0["rating"]?.integer } == [3, nil])
    }

    @Test("Without --edit there is nothing to send marks to, and other machines or buckets cannot edit")
    func options() async throws {
        try await mirrorPhotos(1)
        let store = LocalStore(try Folder(out))
        let names = SiteNames(identity: "", listeningOn: "127.0.0.1", isPublic: false)
        let site = SiteRouter(store: store, updates: GalleryUpdates(of: "index.html", in: store), names: names)
        for (method, status) in [("GET", 404), ("POST", 405)] {
            let request = OriginRequest(
                method: method, target: "/gallery/marks", headers: [OriginHeader("Host", "localhost")])
            #expect(site.reply(to: request).status == status)
        }
        var options = MirrorServer.Options()
        (options.isEditable, options.isPublic, options.port) = (true, true, 0)
        #expect(throws: MirrorError.self) { try MirrorServer(out, options: options) }
    }

    @Test("While a run holds the mirror, marks wait in the journal, and the run takes them up at its end")
    func waiting() async throws {
        try await mirrorPhotos(2)
        let service = HeldPhotos()
        let held = try OriginServer(service)
        try folder.write("\(held.address)/3\n", to: "more.txt")
        let options = MirrorOptions.loopback(held.port) { $0.network.allowedPorts.append(Int(origin.port)) }
        let mirror = PhotoMirror(of: [folder.path("list.jsonl"), folder.path("more.txt")], into: out, options: options)
        async let running = mirror.run()
        try await wait(for: "the request") { held.statistics.requests > 0 }
        let editor = try editor()
        #expect(send(body(0, #"{"seq":2,"rating":-1},{"seq":1,"user_tags":"best"}"#), to: editor).status == 200)
        editor.stop()
        #expect(MarkJournal(in: try Folder(out)).content.marks.count == 2)
        #expect(try manifest().allSatisfy { $0["rating"] == nil })
        service.gate.open()
        _ = try await running
        #expect(try manifest().map { $0["rating"]?.integer } == [nil, -1, nil])
        #expect(try manifest()[0]["user_tags"]?.text == "best")
        #expect(MarkJournal(in: try Folder(out)).content.size == 0)
    }

    @Test("A page can stop a run, which finishes the photos in flight") func stops() async throws {
        try await mirrorPhotos(1)
        let service = HeldPhotos()
        let held = try OriginServer(service)
        try folder.write((1...50).map { "\(held.address)/\($0)\n" }.joined(), to: "more.txt")
        let options = MirrorOptions.loopback(held.port) { $0.concurrency = 2 }
        // What stopped an earlier run does not stop this one.
        try folder.write("", to: "out/.sluice/stop")
        let mirror = PhotoMirror(of: folder.path("more.txt"), into: out, options: options)
        let isStopping = Locked(false)
        async let running = mirror.run { event in
            if case .stopping = event { isStopping.withLock { $0 = true } }
        }
        try await wait(for: "the progress") { folder.contains("out/.sluice/progress") }
        let editor = try editor()
        #expect(send(#"{"revision":0,"stop":false}"#, to: editor).status == 400)
        #expect(send(#"{"revision":0,"stop":true}"#, to: editor).status == 200)
        #expect(send(#"{"revision":0,"stop":true}"#, to: editor).status == 409)
        try await wait(for: "the end of the intake") { isStopping.withLock(\.self) }
        service.gate.open()
        let summary = try await running
        #expect(summary.stop == .signal(SIGINT) && summary.done == 2)
        #expect(!folder.contains("out/.sluice/stop"))
        #expect(send(#"{"revision":1,"stop":true}"#, to: editor).status == 404)
    }

    /// Stores marks as a server does.
    private func store(_ marks: String...) throws {
        try MarkJournal(in: Folder(out)).append(
            marks.map { try #require(PhotoMark(JSON(parsing: Array($0.utf8)))) })
    }

    @Test("A rejected photo is not downloaded again, and --prune removes its files; accepted again, it comes back")
    func rejected() async throws {
        try await mirrorPhotos(3)
        // The second photo loses its files, and the third fails.
        let files = try manifest().compactMap { $0["file"]?.text }
        try store(#"{"seq":1,"rating":-1}"#, #"{"seq":2,"rating":-1}"#)
        try folder.remove("out/\(files[1])")
        let before = origin.statistics.requests
        let summary = try await mirror("list.jsonl").run()
        #expect(origin.statistics.requests == before)
        #expect(summary.kept == 2 && summary.skipped == 1)
        #expect(folder.contains("out/\(files[0])"))
        _ = try await mirror("list.jsonl") { $0.prune = PruneOptions() }.run()
        #expect(!folder.contains("out/\(files[0])") && folder.contains("out/\(files[2])"))
        #expect(try manifest().map { $0["state"]?.text } == ["skipped", "skipped", "done"])
        #expect(try manifest()[0]["detail"]?.text == "rejected by the user")
        _ = try await mirror("list.jsonl").run()
        #expect(origin.statistics.requests == before)
        #expect(try await faults().isEmpty)
        try store(#"{"seq":1,"rating":null}"#)
        #expect(try await mirror("list.jsonl").run().done == 1)
        #expect(folder.contains("out/\(files[0])"))
    }

    @Test("Marks survive the loss of the ledger, also those that only the journal has")
    func rebuilt() async throws {
        try await mirrorPhotos(2)
        try store(#"{"seq":1,"rating":5,"user_caption":"Best","user_tags":"a, b"}"#)
        try PhotoMirror.complete(out)
        try store(#"{"seq":2,"rating":-1}"#)
        try folder.remove("out/.sluice/ledger.sqlite")
        _ = try PhotoMirror.rebuildLedger(out)
        for entry in try manifest() {
            #expect(entry["rating"]?.integer == (entry["seq"]?.integer == 1 ? 5 : -1))
        }
        let photo = try Ledger(reading: Folder(out)).entries(after: 0, limit: 1)[0].item.photo
        #expect(photo.userCaption == "Best" && photo.userTags == "a, b")
        _ = try await mirror("list.jsonl").run()
        #expect(try manifest()[0]["user_caption"]?.text == "Best")
    }

    @Test("Sidecars and copies follow the marks")
    func others() async throws {
        try folder.write(["1", "1?copy"].map { "\(address($0))\n" }.joined(), to: "list.txt")
        try await run { $0.sharesContent = false }
        let copies = { try DuplicateSearch(in: out).run().groups.map { $0.members.map(\.item) } }
        #expect(try copies() == [[1, 2]])
        try store(#"{"seq":2,"rating":3,"user_caption":"Two & two","user_tags":"b"}"#)
        #expect(try copies() == [[2, 1]])
        try await run {
            $0.sharesContent = false
            $0.writesSidecars = true
        }
        let file = try #require(manifest()[1]["file"]?.text)
        let sidecar = try folder.text("out/\(file).xmp")
        for part in ["<xmp:Rating>3</xmp:Rating>", "Two &amp; two</rdf:li>", "<rdf:li>b</rdf:li>"] {
            #expect(sidecar.contains(part), "\(part)")
        }
    }

    /// A page of an editable gallery, which counts the keys that a task takes.
    private struct Editing {
        let browser: WebDriver
        let keys = Locked(0)

        func press(_ pressed: Key...) async throws {
            for key in pressed { try await browser.press(key) }
            keys.withLock { $0 += pressed.count }
        }

        func type(_ text: String) async throws { for letter in text { try await press(Key(rawValue: String(letter))) } }

        /// Waits until a condition holds, and returns the number of keys since the last task.
        func done(_ condition: String) async throws -> Int {
            try await browser.wait(for: condition)
            return keys.withLock { keys in
                defer { keys = 0 }
                return keys
            }
        }

        func open(_ address: String, photos: Int) async throws {
            try await browser.open(address)
            try await browser.wait(for: "document.body.dataset.ready !== undefined && \(Self.shown) === \(photos)")
        }

        static let shown = "document.querySelectorAll('#grid .tile img.there').length"
        /// The number of the photo in focus.
        static let focused = "Number(document.activeElement.hash?.match(/photo.(\\d+)/)?.[1])"
        static func tile(_ seq: Int) -> String { "document.querySelector('#grid a[href^=\"#/photo/\(seq)\"]')" }
    }

    private func editingServer(photos: Int) async throws -> MirrorServer {
        try await mirrorPhotos(photos)
        var options = MirrorServer.Options()
        (options.isEditable, options.port) = (true, 0)
        return try MirrorServer(out, options: options)
    }

    @Test(
        "Photos are found, rated, rejected, tagged, captioned, compared and printed with few keys",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"),
        arguments: [(1280, 800), (390, 844)])
    func tasks(width: Int, height: Int) async throws {
        let server = try await editingServer(photos: 8)
        defer { server.stop() }
        try await withBrowser(width: width, height: height) { browser in
            let page = Editing(browser: browser)
            try await page.open(server.address, photos: 8)
            // The secret is not in what a user shares.
            #expect(try await browser.value("location.search") == "")
            try await page.press(.tab, .enter)
            #expect(try await page.done("\(Editing.focused) === 1") == 2)
            // Rate the second photo.
            try await page.press(.right)
            try await browser.wait(for: "\(Editing.focused) === 2")
            try await page.type("4")
            #expect(try await page.done("\(Editing.tile(2)).querySelector('.stars')?.textContent === '★★★★'") == 2)
            // Reject the photo in focus: the next one gets the focus. Undo that.
            try await page.type("x")
            #expect(try await page.done("\(Editing.shown) === 7 && \(Editing.focused) === 3") == 1)
            try await page.type("u")
            #expect(try await page.done("\(Editing.shown) === 8 && \(Editing.tile(2)).querySelector('.stars')") == 1)
            // A caption.
            try await page.type("e")
            try await browser.wait(for: "document.activeElement.closest('#ask')")
            try await page.type("Mine")
            try await page.press(.enter)
            let caption = "document.querySelector('[aria-label^=\"Mine\"], [alt^=\"Mine\"]')"
            #expect(try await page.done("\(caption) && !document.getElementById('ask')") == 6)
            // Tags for two selected photos.
            try await browser.run("sluice.grid.focus(4)")
            try await browser.wait(for: "\(Editing.focused) === 5")
            try await page.press(Key(rawValue: " "), .right)
            try await browser.wait(for: "\(Editing.focused) === 6")
            try await page.type(" k")
            try await browser.wait(for: "document.activeElement.closest('#ask')")
            try await page.type("best")
            try await page.press(.enter)
            #expect(try await page.done("document.getElementById('message')?.textContent.includes('2 photos')") == 9)
            try await page.press(.escape)
            try await browser.wait(for: "document.getElementById('selection').hidden")
            _ = try await page.done("true")
            // Compare neighbours in the open view, and reject the worse one, which makes room.
            try await browser.run("sluice.grid.focus(5)")
            try await browser.wait(for: "\(Editing.focused) === 6")
            try await page.press(.enter)
            try await browser.wait(for: "location.hash === '#/photo/6' && document.querySelector('.sheet .marks')")
            try await page.press(.right)
            try await browser.wait(for: "location.hash === '#/photo/7' && document.querySelector('.sheet .marks')")
            try await page.press(.left)
            try await browser.wait(for: "location.hash === '#/photo/6'")
            try await page.type("x")
            #expect(try await page.done("location.hash === '#/photo/7'") == 4)
            if Browser.axeIsWanted { #expect(try await browser.accessibilityViolations() == []) }
            try await page.type("5")
            #expect(
                try await page.done("document.querySelector('.marks [aria-pressed=true]')?.title === '5 stars'") == 1)
            try await page.press(.escape)
            try await browser.wait(for: "!document.getElementById('detail').open")
            // Find the rejected photo, and accept it again.
            try await browser.run("sluice.go(sluice.route.parse('#/?state=rejected'))")
            try await browser.wait(for: "\(Editing.shown) === 1")
            try await browser.run("sluice.go(sluice.route.parse('#/?rating=4'))")
            try await browser.wait(for: "\(Editing.shown) === 2")
            // Print the photos in view.
            try await browser.run(
                "window.print = () => { window.printed = document.querySelectorAll('#contact-sheet figure').length; };"
                    + "sluice.print()")
            try await browser.wait(for: "window.printed === 2")
            #expect(try await browser.complaints() == [])
        }
        server.stop()
        let lines = try manifest()
        #expect(lines.map { $0["rating"]?.integer } == [nil, 4, nil, nil, nil, -1, 5, nil])
        #expect(lines[2]["user_caption"]?.text == "Mine" && lines[2]["caption"]?.text == "Photo of lake 3")
        #expect(lines.map { $0["user_tags"]?.text } == [nil, nil, nil, nil, "best", "best", nil, nil])
    }

    @Test(
        "Marks show after a reload while a run holds the mirror, and pages of other origins cannot mark",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func pages() async throws {
        let server = try await editingServer(photos: 3)
        defer { server.stop() }
        // As a run does.
        let state = try Folder(out)
        let lock = try MirrorFolder.lock(state)
        try await withBrowser { browser in
            let page = Editing(browser: browser)
            try await page.open(server.address, photos: 3)
            try await browser.run("sluice.grid.focus(0)")
            try await browser.wait(for: "\(Editing.focused) === 1")
            try await page.type("x")
            try await browser.wait(for: "\(Editing.shown) === 2")
            try await wait(for: "the mark") { MarkJournal(in: state).content.marks.count == 1 }
            // The address without the secret: the tab knows it.
            let plain = String(server.address.prefix { $0 != "?" })
            try await page.open(plain, photos: 2)
            // A page of another origin that knows everything.
            let evil = try OriginServer(
                ScriptedService { _ in OriginReply(type: "text/html", Array("<title>evil</title>".utf8)) })
            try await browser.open(evil.address)
            let token = server.address.split(separator: "=").last ?? ""
            try await browser.run(
                """
                const body = JSON.stringify({ revision: 1, marks: [{ seq: 2, rating: 1 }] });
                const send = (headers, mode) => fetch('\(plain)gallery/marks', { method: 'POST', mode, headers, body })
                    .then((reply) => reply.type === 'opaque' ? 'opaque' : String(reply.status), () => 'blocked');
                Promise.all([
                    send({ 'Content-Type': 'application/json', 'X-Sluice-Token': '\(token)' }, 'cors'),
                    send({ 'Content-Type': 'text/plain' }, 'no-cors'),
                ]).then((results) => { window.results = results.join(); });
                """)
            try await browser.wait(for: "window.results === 'blocked,blocked'")
        }
        lock.release()
        server.stop()
        #expect(try manifest().map { $0["rating"]?.integer } == [-1, nil, nil])
    }
}
