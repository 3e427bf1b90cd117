// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

/// Mirrors of pages that scripts build, with the installed Chromium.
@Suite("Browser mirrors", .enabled(if: Browser.isChromiumWanted), .serialized, .timeLimit(.minutes(10)))
struct BrowserMirrorTests {
    /// A page whose scripts show ten more pictures whenever its end comes into view.
    private static let page = """
        <!doctype html><title>Endless</title><div id=list></div><p id=end>.</p><script>
        let number = 0;
        async function load() {
            for (const name of await (await fetch('/api?page=' + number++)).json()) {
                const image = new Image();
                image.src = name; image.style = 'display:block;height:900px';
                list.append(image);
            }
        }
        new IntersectionObserver((entries) => { if (entries[0].isIntersecting) load(); }).observe(end);
        </script>
        """

    private let folder = TemporaryFolder()
    private let service: ScriptedService
    private let origin: OriginServer
    /// Holds the second reply for the page's scripts.
    private let gate = OriginGate()
    /// The folder for the browser's files.
    private let temporary: String
    /// Signalled when the scripts ask for that reply.
    private let reached = DispatchSemaphore(value: 0)

    init() throws {
        let (files, gate, reached) = (try DemoPictures(30, in: folder).files, gate, reached)
        service = ScriptedService { request in
            if let number = Int(request.path.dropFirst().prefix { $0 != "." }) {
                return OriginReply(type: "image/jpeg", files[number])
            }
            guard request.path == "/api", let page = Int(request.query("page") ?? "") else {
                return request.path == "/"
                    ? OriginReply(type: "text/html", Array(Self.page.utf8)) : .text("", status: 404)
            }
            let numbers = 10 * page..<10 * page + (page < 3 ? 10 : 0)
            var reply = OriginReply.json("[\(numbers.map { "\"/\($0).jpg\"" }.joined(separator: ","))]")
            if page == 1 {
                reply.gate = gate
                reached.signal()
            }
            return reply
        }
        origin = try OriginServer(service)
        // The sockets of a browser need a short path.
        var template = Array("/tmp/sb-XXXXXX".utf8CString)
        temporary = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
        unsafe chmod(temporary, 0o755)
    }

    private var words: [String] {
        [
            "mirror", "http://127.0.0.1:\(origin.port)/", "--browser", "-o", "m", "--sizes", "none", "--retries", "0",
            "--min-size", "1x1",
        ]
    }

    private func start() throws -> Running {
        try Running(words, environment: ["TMPDIR": temporary], folder: folder.url)
    }

    /// The browser's processes of this test that still run.
    private var processes: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { number in
            let command = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
            return command?.contains(temporary) == true && ChildProcess(number)?.state != "Z"
        }
    }

    private var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
    }

    @Test("A page that scripts build is mirrored: every photo once, and a second run transfers none again")
    func mirror() throws {
        gate.open()
        try start().end().expect(err: "30 photos: 30 done")
        let photos = { service.requests.filter { $0.path.hasSuffix(".jpg") }.map(\.path).sorted() }
        #expect(photos() == (0..<30).map { "/\($0).jpg" }.sorted())
        try start().end().expect(err: "all 30 photos were already done")
        #expect(photos().count == 30)
        #expect(leftovers == [])
        // Without the option, the page names it.
        let plain = try Binary.run(words.filter { $0 != "--browser" }, folder: folder.url)
        plain.expect(4, err: "scripts: ", "--browser")
    }

    @Test(
        "A stopped run leaves neither a process nor a folder, and the next run continues", arguments: [SIGINT, SIGTERM])
    func stopped(signal: Int32) async throws {
        let run = try start()
        #expect(reached.wait(timeout: .now() + 400) == .success)
        #expect(!processes.isEmpty && !leftovers.isEmpty)
        run.send(signal)
        run.send(signal)
        _ = try run.end()
        try await wait(for: "the end of the browser") { processes.isEmpty }
        gate.open()
        try start().end().expect(err: "30 photos")
        #expect(leftovers == [] && processes.isEmpty)
    }

    @Test("A killed run leaves no process, and the next run removes its folder")
    func killed() async throws {
        let run = try start()
        #expect(reached.wait(timeout: .now() + 400) == .success)
        run.send(SIGKILL)
        _ = try run.end()
        try await wait(for: "the end of the browser") { processes.isEmpty }
        #expect(leftovers.count == 1)
        gate.open()
        try start().end().expect(err: "30 photos")
        #expect(leftovers == [])
    }
}
