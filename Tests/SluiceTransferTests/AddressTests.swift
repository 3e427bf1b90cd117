// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Addresses and redirects") struct AddressTests {
    @Test(
        "Addresses are read as libcurl reads them",
        arguments: [
            ("http://Example.org/a?b#c", "http", "example.org", 80, "http://Example.org/a?b"),
            ("https://example.org:444", "https", "example.org", 444, "https://example.org:444/"),
            ("http://[::1]:8080/", "http", "[::1]", 8080, "http://[::1]:8080/"),
            ("http://e.org/a b", "http", "e.org", 80, "http://e.org/a%20b"),
        ])
    func reading(text: String, scheme: String, host: String, port: Int, whole: String) throws {
        let address = try #require(WebAddress(text))
        #expect((address.scheme, address.host, address.port) == (scheme, host, port))
        #expect(address.text == whole)
    }

    @Test("What is no address is none", arguments: ["", "photos", "http://", "http://a:99999/", "http:// /"])
    func none(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        "A redirect is read from where it stands",
        arguments: [
            ("/x", "http://a.org/x"), ("y?z", "http://a.org/dir/y?z"), ("//b.org/", "http://b.org/"),
            ("https://b.org/q", "https://b.org/q"), ("?k", "http://a.org/dir/page?k"),
        ])
    func relative(location: String, target: String) throws {
        let base = try #require(WebAddress("http://a.org/dir/page"))
        #expect(try Redirect.next(location, from: base, followed: 0, limit: 5).text == target)
    }

    @Test(
        "A redirect that leads off the web is refused by name",
        arguments: [
            ("file:///etc/passwd", Cause.redirectScheme), ("ftp://a.org/", .redirectScheme),
            ("javascript:alert(1)", .redirectScheme), ("data:text/html,x", .redirectScheme), ("", .redirectScheme),
        ])
    func refused(location: String, cause: Cause) throws {
        let base = try #require(WebAddress("http://a.org/"))
        let failure = try #require(throws: Failure.self) {
            try Redirect.next(location.isEmpty ? nil : location, from: base, followed: 0, limit: 5)
        }
        #expect(failure.cause == cause)
    }

    @Test("A redirect from https to http is refused, and so is one too many")
    func downgrade() throws {
        let secure = try #require(WebAddress("https://a.org/"))
        #expect(
            try #require(throws: Failure.self) {
                try Redirect.next("http://a.org/", from: secure, followed: 0, limit: 5)
            }.cause == .redirectDowngrade)
        #expect(
            try #require(throws: Failure.self) {
                try Redirect.next("/", from: secure, followed: 5, limit: 5)
            }.cause == .redirectLoop)
    }

    @Test("Scheme, host and port together are an origin")
    func origins() throws {
        let here = try #require(WebAddress("https://a.org/x"))
        for same in ["https://A.ORG/", "https://a.org:443/y"] {
            #expect(here.hasOrigin(of: try #require(WebAddress(same))))
        }
        for other in ["http://a.org/", "https://a.org:444/", "https://b.a.org/", "https://a.org.evil.org/"] {
            #expect(try !here.hasOrigin(of: #require(WebAddress(other))), "\(other)")
        }
    }
}
