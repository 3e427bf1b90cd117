// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Guard", .timeLimit(.minutes(10))) struct GuardTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"

    private func transfers(_ change: (inout AddressGuard) -> Void) -> Transfers {
        var options = TransferOptions.patient
        options.retry.retries = 0
        change(&options.addressGuard)
        return Transfers(options)
    }

    private func home(_ server: RawServer) throws -> WebAddress { try #require(WebAddress(server.url("/"))) }

    @Test(
        "A refused address cannot be reached by any spelling",
        arguments: [
            [127, 0, 0, 2], [10, 1, 2, 3], [169, 254, 169, 254], [192, 168, 7, 9], [172, 31, 255, 1], [100, 64, 3, 5],
            [0, 0, 0, 0], [198, 19, 2, 2], [224, 0, 0, 251], [255, 255, 255, 255],
        ])
    func spellings(address: [Int]) async throws {
        let forbidden = try RawServer(["/x": [.text(Self.ok)]], host: "127.0.0.2")
        let transfers = transfers { $0.ports = [Int(forbidden.port)] }
        for spelling in Spelling.all {
            let host = spelling.host(address)
            let failure = await #expect(throws: Failure.self, "\(spelling.name): \(host)") {
                try await transfers.fetch(Request("http://\(host):\(forbidden.port)/x"), token: CancellationToken())
            }
            // A spelling that libcurl does not accept as a number is invalid or an unknown name.
            #expect([.addressRefused, .policy, .dns].contains(failure?.cause), "\(spelling.name): \(host): \(failure)")
        }
        #expect(forbidden.connections == 0)
    }

    @Test("Most of the spellings are recognised and refused as addresses")
    func understood() async throws {
        #expect(Spelling.all.count * 10 > 300)
        let transfers = transfers { _ in }
        var refused = 0
        for spelling in Spelling.all {
            do throws(Failure) {
                _ = try await transfers.fetch(
                    Request("http://\(spelling.host([127, 0, 0, 2]))/"), token: CancellationToken())
            } catch {
                if error.cause == .addressRefused { refused += 1 }
            }
        }
        #expect(refused > Spelling.all.count * 3 / 4, "\(refused) of \(Spelling.all.count)")
    }

    @Test("Private addresses can be allowed")
    func allowed() async throws {
        let server = try RawServer(["/x": [.text(Self.ok)]], host: "127.0.0.2")
        let range = try #require(NetworkRange("127.0.0.2"))
        let home = try home(server)
        for change in [
            { $0.allowsPrivate = true }, { $0.allowed = [range] }, { $0.trustedOrigins = [home] },
        ] as [(inout AddressGuard) -> Void] {
            let transfers = transfers {
                $0.ports = [Int(server.port)]
                change(&$0)
            }
            #expect(try await transfers.fetch(Request(server.url("/x")), token: CancellationToken()).status == 200)
        }
    }

    @Test("Only the user's addresses are allowed on private networks", arguments: Provenance.allCases)
    func authors(author: Provenance) throws {
        var addressGuard = AddressGuard()
        let address = try #require(WebAddress("http://127.0.0.1:8080/feed.xml"))
        addressGuard.trust([address], writtenBy: author)
        let isAllowed = (try? addressGuard.check(address)) != nil
        #expect(isAllowed == (author == .user))
    }

    @Test("A name is refused if all of its addresses are")
    func names() throws {
        let addressGuard = AddressGuard()
        let address = try #require(WebAddress("http://nas.example:8080/feed.xml"))
        let (own, foreign) = (try #require(NetworkAddress("192.168.1.9")), try #require(NetworkAddress("1.1.1.1")))
        let refusal = #expect(throws: Failure.self) { try addressGuard.check(address, at: [own]) }
        #expect(refusal?.hint == .allowAddressesAndPort("192.168.0.0/16", 8080))
        let other = #expect(throws: Failure.self) { try addressGuard.check(address, at: [own, foreign]) }
        #expect(other?.hint == .allowPort(8080))
    }

    /// A feed whose name led to a public server on the first run made later runs ask 10.0.0.1 and 169.254.169.254.
    @Test("A trusted name that is not confirmed as private has to stay public; numbers and localhost need not")
    func publicNames() throws {
        var addressGuard = AddressGuard()
        let texts = ["http://nas.example:8080/", "http://192.168.1.9:8080/", "http://localhost:8080/"]
        let addresses = try texts.map { try #require(WebAddress($0)) }
        addressGuard.trust(addresses, writtenBy: .user)
        let (own, foreign) = (try #require(NetworkAddress("192.168.1.9")), try #require(NetworkAddress("1.1.1.1")))
        for address in addresses { #expect(addressGuard.refusal(of: own, for: address) == nil) }
        addressGuard.publicNames = ["nas.example", "localhost", "192.168.1.9"]
        let refusal = addressGuard.refusal(of: own, for: addresses[0])
        #expect(refusal?.detail == "nas.example resolves to 192.168.1.9, which is private")
        #expect(refusal?.hint == .allowAddresses("192.168.0.0/16"))
        #expect(throws: Failure.self) { try addressGuard.check(addresses[0], at: [own]) }
        // The user named the port.
        try addressGuard.check(addresses[0], at: [own, foreign])
        try addressGuard.check(addresses[0])
        for address in addresses.dropFirst() {
            #expect(addressGuard.refusal(of: own, for: address) == nil)
            try addressGuard.check(address, at: [own])
        }
        addressGuard.allowed = [try #require(NetworkRange("192.168.0.0/16"))]
        #expect(addressGuard.refusal(of: own, for: addresses[0]) == nil)
    }

    @Test("No connection is opened when a name that has to be public leads to this machine", arguments: [true, false])
    func rebinding(isPublic: Bool) async throws {
        let server = try RawServer(["/x": [.text(Self.ok)]])
        let address = try #require(WebAddress("http://nas.example:\(server.port)/x"))
        let number = try #require(NetworkAddress("127.0.0.1"))
        let resolver = Resolver(lookUp: { _ in LookupResult(answer: .success([number]), isDefinitive: true) })
        var options = TransferOptions.patient
        options.retry.retries = 0
        options.addressGuard = AddressGuard()
        options.addressGuard.trust([address], writtenBy: .user)
        if isPublic { options.addressGuard.publicNames = [address.hostName] }
        let transfers = Transfers(options, resolver: resolver)
        if isPublic {
            let failure = await #expect(throws: Failure.self) {
                try await transfers.fetch(Request(address.text), token: CancellationToken())
            }
            #expect(failure?.cause == .addressRefused && server.connections == 0)
        } else {
            let response = try await transfers.fetch(Request(address.text), token: CancellationToken())
            #expect(response.status == 200)
        }
    }

    @Test(
        "A name is private if all of its addresses are, and unknown if it has none",
        arguments: [
            (["10.0.0.1"], true), (["1.1.1.1"], false), (["10.0.0.1", "1.1.1.1"], false),
            (["fd00::1", "10.0.0.1"], true),
            ([], nil),
        ] as [([String], Bool?)])
    func privateNames(numbers: [String], expected: Bool?) async throws {
        let numbers = try numbers.map { try #require(NetworkAddress($0)) }
        let resolver = Resolver(lookUp: { _ in LookupResult(answer: .success(numbers), isDefinitive: true) })
        let transfers = Transfers(TransferOptions.patient, resolver: resolver)
        let address = try #require(WebAddress("http://nas.example/"))
        #expect(await transfers.isPrivate(address, token: CancellationToken()) == expected)
    }

    @Test("A redirect from a trusted server to another local one is refused, with a hint")
    func redirect() async throws {
        let forbidden = try RawServer(["/x": [.text(Self.ok)]], host: "127.0.0.2")
        let away = "HTTP/1.1 302 Found\r\nLocation: \(forbidden.url("/x"))\r\nContent-Length: 0\r\n\r\n"
        let server = try RawServer(["/x": [.text(away)]])
        defer {
            server.stop()
            forbidden.stop()
        }
        let home = try home(server)
        let failure = await #expect(throws: Failure.self) {
            try await transfers {
                $0.trustedOrigins = [home]
                $0.ports = [Int(forbidden.port)]
            }.fetch(Request(server.url("/x")), token: CancellationToken())
        }
        #expect(failure?.cause == .addressRefused)
        #expect(failure?.detail == "127.0.0.2 is loopback" && failure?.hint == .allowAddresses("127.0.0.0/8"))
        #expect(server.connections == 1 && forbidden.connections == 0)
    }

    @Test("Only the standard ports and the user's own are allowed")
    func ports() throws {
        var addressGuard = AddressGuard()
        let home = try #require(WebAddress("http://nas.example:8000/feed.json"))
        addressGuard.trustedOrigins = [home]
        for (text, isAllowed) in [
            ("http://a.example/", true), ("https://a.example/", true), ("http://a.example:443/", true),
            ("http://a.example:25/", false), ("http://a.example:6379/", false), ("http://a.example:8000/", false),
            ("http://nas.example:8000/x.jpg", true), ("http://nas.example:8001/x.jpg", false),
            ("https://nas.example:8000/x.jpg", false),
        ] {
            let address = try #require(WebAddress(text))
            if isAllowed {
                try addressGuard.check(address)
            } else {
                let failure = #expect(throws: Failure.self) { try addressGuard.check(address) }
                #expect(failure?.cause == .addressRefused, "\(text)")
                #expect(failure?.hint == .allowPort(address.port))
            }
        }
    }

    /// The refusal named the port alone, so that the next run was refused because of the address.
    @Test("A refusal names the address and the port if neither is allowed")
    func addressAndPort() throws {
        let address = try #require(WebAddress("http://127.0.0.1:8471/x"))
        let failure = #expect(throws: Failure.self) { try AddressGuard().check(address) }
        #expect(failure?.detail == "127.0.0.1 is loopback, and port 8471 is not allowed")
        #expect(failure?.hint == .allowAddressesAndPort("127.0.0.0/8", 8471))
    }

    @Test(
        "Special addresses are recognised",
        arguments: [
            ("8.8.8.8", nil), ("1.1.1.1", nil), ("172.15.0.1", nil), ("172.32.0.1", nil), ("100.63.255.255", nil),
            ("100.128.0.0", nil), ("169.253.0.1", nil), ("192.0.1.1", nil), ("223.255.255.255", nil),
            ("2606:4700::1111", nil), ("64:ff9b::808:808", nil), ("::ffff:8.8.8.8", nil), ("2002:808:808::1", nil),
            ("2001:0:808:808::f7f7:f7f7", nil), ("2600::5efe:808:808", nil),
            ("0.1.2.3", "this machine"), ("10.255.0.1", "private"), ("127.255.255.254", "loopback"),
            ("169.254.169.254", "link-local"), ("172.16.0.1", "private"), ("192.168.0.1", "private"),
            ("100.100.100.200", "shared by a provider's customers"), ("168.63.129.16", "a cloud's own service"),
            ("224.0.0.1", "multicast"), ("240.0.0.1", "reserved"), ("255.255.255.255", "reserved"),
            ("::", "this machine"), ("::1", "loopback"), ("fe80::1", "link-local"), ("fd00:ec2::254", "private"),
            ("ff02::1", "multicast"), ("2001:db8::1", "for documentation"), ("fec0::1", "site-local"),
            ("::ffff:10.0.0.1", "private"), ("::10.0.0.1", "private"), ("64:ff9b::7f00:1", "loopback"),
            ("64:ff9b:1::a00:1", "for translation within a network"), ("2002:a9fe:a9fe::", "link-local"),
            ("2001:0:808:808::80ff:fffe", "loopback"), ("2600::5efe:c0a8:1", "private"), ("5f00::1", "reserved"),
        ] as [(String, String?)])
    func kinds(text: String, kind: String?) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.reachableAddresses.lazy.compactMap { SpecialUse(of: $0) }.first?.name == kind)
    }

    @Test("Ranges are parsed strictly, and contain the right addresses")
    func ranges() throws {
        for text in [
            "", "10.0.0.0/33", "10.0.0.0/-1", "10/8", "0x0a000000/8", "010.0.0.0/8", "x", "::/129", "10.0.0.0/",
        ] {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
        let range = try #require(NetworkRange("172.16.0.0/12"))
        for (text, isIn) in [
            ("172.16.0.0", true), ("172.31.255.255", true), ("172.32.0.0", false), ("::ac10:0", false),
        ] {
            #expect(range.contains(try #require(NetworkAddress(text))) == isIn, "\(text)")
        }
        #expect(NetworkRange("::/0")?.contains(try #require(NetworkAddress("ff::"))) == true)
    }
}

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
