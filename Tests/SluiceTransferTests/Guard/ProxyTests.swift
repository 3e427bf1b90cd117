// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Proxies", .timeLimit(.minutes(10))) struct ProxyTests {
    private func rules(_ variables: [String: String]) -> ProxyRules { ProxyRules { variables[$0] } }

    @Test(
        "The proxy variables apply to each host",
        arguments: [
            ([:], "http://a.org/", nil),
            (["http_proxy": "http://p:1"], "http://a.org/", "http://p:1"),
            (["http_proxy": "http://p:1"], "https://a.org/", nil),
            (["HTTP_PROXY": "http://p:1"], "http://a.org/", nil),
            (["HTTPS_PROXY": "http://p:1"], "https://a.org/", "http://p:1"),
            (["ALL_PROXY": "socks5h://p:1"], "http://a.org/", "socks5h://p:1"),
            (["all_proxy": "http://p:1", "no_proxy": "a.org"], "http://a.org/", nil),
            (["all_proxy": "http://p:1", "no_proxy": "a.org"], "http://b.a.org/", nil),
            (["all_proxy": "http://p:1", "no_proxy": "a.org"], "http://ba.org/", "http://p:1"),
            (["all_proxy": "http://p:1", "NO_PROXY": " b.org, .A.org "], "http://x.a.org./", nil),
            (["all_proxy": "http://p:1", "no_proxy": "*"], "http://a.org/", nil),
            (["all_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"], "http://10.2.3.4/", nil),
            (["all_proxy": "http://p:1", "no_proxy": "10.0.0.0/8,::1"], "http://[::1]/", nil),
            (["all_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"], "http://11.2.3.4/", "http://p:1"),
        ] as [([String: String], String, String?)])
    func variables(variables: [String: String], url: String, proxy: String?) throws {
        #expect(rules(variables).proxy(for: try #require(WebAddress(url))) == proxy)
    }

    @Test("The user's proxy may be local, and resolves host names but gets no refused address")
    func throughProxy() async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"
        let proxy = try RawServer(["http://photos.example/x": [.text(reply)]])
        defer { proxy.stop() }
        var options = TransferOptions.patient
        options.retry.retries = 0
        options.proxies = ProxyRules(through: "http://127.0.0.1:\(proxy.port)") { _ in nil }
        let transfers = Transfers(options)
        #expect(try await transfers.fetch(Request("http://photos.example/x"), token: CancellationToken()).status == 200)
        #expect(proxy.requests.first?.hasPrefix("GET http://photos.example/x HTTP/1.1\r\n") == true)
        for url in [
            "http://169.254.169.254/x", "http://0x7f000001/", "http://localhost/", "http://a.localhost/",
            "http://[::ffff:10.0.0.1]/", "http://127.1/", "http://photos.example:25/",
        ] {
            let failure = await #expect(throws: Failure.self) {
                try await transfers.fetch(Request(url), token: CancellationToken())
            }
            #expect(failure?.cause == .addressRefused, "\(url)")
        }
        #expect(proxy.connections == 1)
    }
}
