// SPDX-License-Identifier: MIT

import Foundation
import SluiceCookies
import SluiceFiles
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceBrowser
@testable import SluiceTransfer

/// Pages in the installed Chromium, whose requests all pass the run's transfers.
@Suite("Browser pages", .enabled(if: Browser.isChromiumWanted), .serialized, .timeLimit(.minutes(10)))
struct BrowserPageTests {
    /// Makes a page of a path of the service, and the transfers that its requests use.
    private func page(
        _ path: String, of origin: OriginServer, _ change: (inout TransferOptions) throws -> Void = { _ in }
    ) throws -> BrowserPage {
        let address = try #require(WebAddress("http://127.0.0.1:\(origin.port)\(path)"))
        var options = TransferOptions(userAgent: "Sluice/test")
        options.retry.retries = 0
        options.cookies = try CookieJar()
        options.addressGuard.trust([address], writtenBy: .user)
        try change(&options)
        return BrowserPage(address, in: try InstalledBrowser(), through: Transfers(options))
    }

    /// Reads batches to the end.
    private func batches(of page: BrowserPage) async throws -> [BrowserPage.Batch] {
        var batches: [BrowserPage.Batch] = []
        while batches.last?.isLast != true { batches.append(try await page.next(token: CancellationToken())) }
        return batches
    }

    /// Returns the addresses of the pictures in a batch.
    private func pictures(_ batch: BrowserPage.Batch) -> [String] {
        String(decoding: batch.html, as: UTF8.self).matches(of: /<img src="([^"]*)"/).map { String($0.output.1) }
    }

    private static func html(_ text: String) -> OriginReply {
        OriginReply(type: "text/html", Array("<!doctype html><html><body>\(text)</body></html>".utf8))
    }

    /// A page that appends 20 pictures whenever its end comes into view, 5 times.
    private static let endless = """
        <div id=list></div><div id=end>end</div><script>
        let page = 0, busy = false;
        async function load() {
            if (busy || page === 5) return;
            busy = true;
            const names = await (await fetch('/api?page=' + page++)).json();
            for (const name of names) {
                const image = document.createElement('img');
                image.src = name; image.style = 'display:block;width:400px;height:300px';
                list.append(image);
            }
            busy = false;
        }
        new IntersectionObserver((entries) => { if (entries[0].isIntersecting) load(); }).observe(end);
        </script>
        """

    @Test("A page that loads more at its end gives each picture once, and none is transferred for the browser")
    func endless() async throws {
        let service = ScriptedService { request in
            guard request.path == "/api" else { return Self.html(Self.endless) }
            let first = 20 * (Int(request.query("page") ?? "") ?? 0)
            return .json("[\((first..<first + 20).map { "\"/p/\($0).jpg\"" }.joined(separator: ","))]")
        }
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let found = try await batches(of: page("/", of: origin)).flatMap(pictures)
        #expect(found == (0..<100).map { "/p/\($0).jpg" })
        #expect(!service.requests.contains { $0.path.hasPrefix("/p/") })
        #expect(service.requests.count { $0.path == "/api" } == 5)
    }

    @Test("Pictures of shadow roots, frames, style sheets and a button for more are found, with the replies' data")
    func places() async throws {
        let service = ScriptedService { request in
            switch request.path {
            case "/frame": return Self.html("<img src='in/frame.jpg'>")
            case "/more": return .json(#"{"large": "/full<1>.jpg"}"#)
            default:
                return Self.html(
                    """
                    <style>#back { background-image: url(/back.jpg) }</style><div id=back>x</div>
                    <iframe src=/frame></iframe><div id=host></div>
                    <button onclick="more()">Show more photos</button><script>
                    host.attachShadow({mode: 'open'}).innerHTML = '<img src=/shadow.jpg>';
                    async function more() {
                        await (await fetch('/more')).json();
                        document.body.insertAdjacentHTML('beforeend', '<img src=/pressed.jpg>');
                        document.querySelector('button').remove();
                    }
                    </script>
                    """)
            }
        }
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let all = try await batches(of: page("/", of: origin))
        let found = all.flatMap(pictures)
        let root = "http://127.0.0.1:\(origin.port)"
        #expect(Set(found) == ["/shadow.jpg", "\(root)/in/frame.jpg", "/pressed.jpg"] && found.count == 3)
        let text = all.map { String(decoding: $0.html, as: UTF8.self) }.joined()
        #expect(text.contains("url(&#34;\(root)/back.jpg&#34;)"))
        #expect(text.contains(#"<script type="application/json">{"large": "/full\u003c1>.jpg"}</script>"#))
    }

    @Test("Cookies of the user reach the page's requests, and those that scripts set reach the run's")
    func cookies() async throws {
        let folder = TemporaryFolder()
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tuser-cookie\n", to: "cookies.txt")
        let service = ScriptedService { request in
            request.path == "/api"
                ? .json("{}")
                : OriginReply(
                    type: "text/html",
                    Array(
                        "<script>document.cookie = 'seen=' + document.cookie.length; fetch('/api')</script>".utf8),
                    headers: [OriginHeader("Set-Cookie", "hidden=1; HttpOnly"), OriginHeader("Set-Cookie", "a=1")])
        }
        let jar = try CookieJar(CookieSource(file: folder.path + "/cookies.txt"))
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let page = try page("/", of: origin) { $0.cookies = jar }
        _ = try await batches(of: page)
        let sent = try #require(service.requests.first { $0.path == "/api" }?.header("cookie"))
        // The script saw neither the user's cookie nor the hidden one.
        #expect(Set(sent.components(separatedBy: "; ")) == ["sid=user-cookie", "hidden=1", "a=1", "seen=3"])
        let target = CookieRequest(scheme: "http", host: "127.0.0.1", path: "/p.jpg", page: "127.0.0.1")
        #expect(jar.header(for: target)?.contains("seen=3") == true)
    }

    /// What pages can try to reach another server; `{url}` is its origin, `{host}` its host and port.
    private static let attempts = """
        <img src={url}/img><iframe src={url}/frame></iframe><link rel=stylesheet href={url}/css>
        <link rel=prefetch href={url}/prefetch><link rel=preconnect href={url}><link rel=dns-prefetch href={url}>
        <link rel=preload as=font href={url}/font><object data={url}/object></object><embed src={url}/embed>
        <video src={url}/video></video><audio src={url}/audio></audio><script src={url}/script></script>
        <iframe src=/redirect></iframe><img src=/redirect><script type=speculationrules>
        {"prefetch": [{"source": "list", "urls": ["{url}/rule"]}], "prerender": [{"source": "list", "urls": ["/redirect"]}]}
        </script><form id=f method=post action={url}/form target=g></form><iframe name=g></iframe><script>
        const settle = (promise) => promise.then(() => 0, () => 0);
        const all = [
            settle(fetch('{url}/fetch')), settle(fetch('/redirect')), settle(fetch('{url}/no', {mode: 'no-cors'})),
            settle(fetch('{url}/post', {method: 'POST', body: 'x', mode: 'no-cors'})),
            settle(navigator.serviceWorker?.register('/worker.js') ?? Promise.resolve()),
        ];
        navigator.sendBeacon('{url}/beacon', 'x');
        new WebSocket('ws://{host}/socket'); new EventSource('{url}/events'); window.open('{url}/window');
        f.submit();
        new Worker('/worker.js'); try { new SharedWorker('/worker.js') } catch {}
        try { new WebTransport('https://{host}/transport').ready.catch(() => 0) } catch {}
        const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:{host}'}, {urls: 'turn:{host}?transport=tcp', username: 'u', credential: 'c'}]});
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        Promise.all(all).then(() => { document.title = 'settled'; });
        </script>
        """

    @Test("A page reaches no server that the run may not reach, by any way", arguments: ["127.0.0.1", "127.0.0.2"])
    func forbidden(host: String) async throws {
        let other = try RawServer(["/": [.text("HTTP/1.1 200 OK\r\n\r\n")]], host: host)
        let url = "http://\(host):\(other.port)"
        let service = ScriptedService { request in
            switch request.path {
            case "/redirect": return OriginReply(status: 302, headers: [OriginHeader("Location", "\(url)/redirected")])
            case "/worker.js":
                return OriginReply(
                    type: "text/javascript",
                    Array("fetch('\(url)/worker').catch(() => 0); new WebSocket('ws://\(host):\(other.port)/w')".utf8))
            default:
                let text = Self.attempts.replacing("{url}", with: url).replacing(
                    "{host}", with: "\(host):\(other.port)")
                return Self.html(text)
            }
        }
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let found = try await batches(of: page("/", of: origin))
        #expect(found.contains { String(decoding: $0.html, as: UTF8.self).contains("<title>settled</title>") })
        #expect(
            service.requests.contains { $0.path == "/redirect" }
                && service.requests.contains { $0.path == "/worker.js" })
        #expect(other.requests.isEmpty && other.connections == 0)
    }

    @Test("A closed page leaves no process and no folder, and so does one that is released or cancelled")
    func ends() async throws {
        let service = ScriptedService { _ in Self.html("<img src=/a.jpg>") }
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let before = BrowserTraces()
        for way in 0..<3 {
            let token = CancellationToken()
            var page: BrowserPage? = try page("/", of: origin)
            _ = try await page?.next(token: token)
            // Those of other tests end, too.
            let traces = BrowserTraces().new(since: before)
            #expect(!traces.folders.isEmpty && !traces.processes.isEmpty)
            switch way {
            case 0: page?.close()
            case 1: page = nil
            default: token.cancel()
            }
            try await wait(for: "the end of the browser (\(way))") { BrowserTraces().isFree(of: traces) }
            page = nil
        }
    }

    @Test("A page that never comes to rest, shows dialogs or crashes ends with a failure or what it has")
    func restless() async throws {
        let service = ScriptedService { _ in
            Self.html(
                "<img src=/a.jpg><script>alert(1); setInterval(() => { location.hash = Math.random() }, 50)</script>")
        }
        let origin = try OriginServer(service)
        defer { withExtendedLifetime(origin) {} }
        let page = try page("/", of: origin)
        #expect(pictures(try await page.next(token: CancellationToken())) == ["/a.jpg"])
    }
}

/// What browsers leave on the machine: processes and folders.
private struct BrowserTraces {
    var processes: Set<Int32> = []
    var folders: Set<String> = []

    init() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        processes = Set(
            names.compactMap { Int32($0) }.filter { number in
                let command = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
                return command?.contains(ScratchFolder.prefix) == true
            })
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        folders = Set(files.filter { $0.hasPrefix(ScratchFolder.prefix) })
    }

    func new(since before: BrowserTraces) -> BrowserTraces {
        var new = self
        new.processes.subtract(before.processes)
        new.folders.subtract(before.folders)
        return new
    }

    func isFree(of others: BrowserTraces) -> Bool {
        processes.isDisjoint(with: others.processes) && folders.isDisjoint(with: others.folders)
    }
}
