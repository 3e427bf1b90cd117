// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCookies

/// Which replies may set which cookies, and which requests carry them.
///
/// The expectations are those of RFC 6265bis. curl 7.88 decides the same in 60 of 71 cases; the others are cookies
/// without a name, an invalid `Max-Age`, `Domain=github.io` of this host itself, cookies of HTTPS without it, `__Host-`
/// without a path, and pages of other sites.
@Suite("Cookies of replies", .timeLimit(.minutes(1))) struct CookieJarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var setBy: String
        var headers: [String]
        var asked: String
        var cookies: String?
        /// The host of the page that named the asked address.
        var page: String?

        init(_ setBy: String, _ headers: [String], _ asked: String, _ cookies: String?, page: String? = nil) {
            (self.setBy, self.headers, self.asked, self.cookies, self.page) = (setBy, headers, asked, cookies, page)
        }

        var testDescription: String { "\(setBy) \(headers) \(asked)" }
    }

    private static func request(_ url: String, page: String? = nil) -> CookieRequest {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let rest = parts[2].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let host = rest[0].hasPrefix("[") ? String(rest[0]) : String(rest[0].prefix { $0 != ":" })
        return CookieRequest(
            scheme: String(parts[0].dropLast()), host: host, path: "/" + (rest.count > 1 ? rest[1] : ""), page: page)
    }

    private static let home = "https://www.a.example/"

    static let cases = [
        // Names and values
        Case(home, ["a=1"], home, "a=1"),
        Case(home, ["a=1; b=2"], home, "a=1"),
        Case(home, [" a = 1 2 "], home, "a=1 2"),
        Case(home, ["a=\"1\""], home, "a=\"1\""),
        Case(home, ["a=b=c"], home, "a=b=c"),
        Case(home, ["a="], home, "a="),
        Case(home, ["alone"], home, "alone"),
        Case(home, ["=x"], home, "x"),
        Case(home, ["="], home, nil),
        Case(home, [""], home, nil),
        Case(home, ["a=1\u{1}2"], home, nil),
        Case(home, ["a=é"], home, "a=é"),
        Case(home, ["a=" + String(repeating: "x", count: 4096)], home, nil),
        Case(home, ["a=1", "a=2"], home, "a=2"),
        Case(home, ["a=1", "b=2"], home, "a=1; b=2"),
        Case(home, ["a=1; unknown; x=y"], home, "a=1"),
        // Hosts
        Case(home, ["a=1"], "https://a.example/", nil),
        Case(home, ["a=1"], "https://x.www.a.example/", nil),
        Case(home, ["a=1; Domain=a.example"], "https://img.a.example/", "a=1"),
        Case(home, ["a=1; domain=.A.Example"], "https://img.a.example/", "a=1"),
        Case(home, ["a=1; Domain=a.example"], "https://ba.example/", nil),
        Case(home, ["a=1; Domain=b.example"], "https://b.example/", nil),
        Case(home, ["a=1; Domain=img.a.example"], "https://img.a.example/", nil),
        Case(home, ["a=1; Domain=example"], "https://b.example/", nil),
        Case("https://a.co.uk/", ["a=1; Domain=co.uk"], "https://b.co.uk/", nil),
        Case("https://me.github.io/", ["a=1; Domain=github.io"], "https://you.github.io/", nil),
        Case("https://github.io/", ["a=1; Domain=github.io"], "https://github.io/", "a=1"),
        Case("https://github.io/", ["a=1; Domain=github.io"], "https://you.github.io/", nil),
        Case(home, ["a=1; Domain="], home, "a=1"),
        Case("https://192.0.2.1/", ["a=1; Domain=2.1"], "https://192.0.2.1/", nil),
        Case("https://192.0.2.1/", ["a=1; Domain=192.0.2.1"], "https://192.0.2.1/", "a=1"),
        // Paths
        Case("https://a.example/x/y", ["a=1"], "https://a.example/x/z", "a=1"),
        Case("https://a.example/x/y", ["a=1"], "https://a.example/z", nil),
        Case("https://a.example/x/y", ["a=1"], "https://a.example/xx", nil),
        Case(home, ["a=1; Path=/x"], "https://www.a.example/x", "a=1"),
        Case(home, ["a=1; Path=/x"], "https://www.a.example/x/y?z", "a=1"),
        Case(home, ["a=1; Path=/x"], "https://www.a.example/xy", nil),
        Case(home, ["a=1; Path=x"], "https://www.a.example/y", "a=1"),
        Case(home, ["a=1", "b=2; Path=/x"], "https://www.a.example/x", "b=2; a=1"),
        // Life
        Case(home, ["a=1; Max-Age=60"], home, "a=1"),
        Case(home, ["a=1; Max-Age=0"], home, nil),
        Case(home, ["a=1; Max-Age=-1"], home, nil),
        Case(home, ["a=1; Max-Age=x"], home, "a=1"),
        Case(home, ["a=1", "a=; Max-Age=0"], home, nil),
        Case(home, ["a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT"], home, nil),
        Case(home, ["a=1; Expires=Wed, 09 Jun 2099 10:18:14 GMT"], home, "a=1"),
        Case(home, ["a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Max-Age=60"], home, "a=1"),
        Case(home, ["a=1; Expires=nonsense"], home, "a=1"),
        // Secrecy
        Case(home, ["a=1; Secure; HttpOnly"], home, "a=1"),
        Case(home, ["a=1; Secure"], "http://www.a.example/", nil),
        // curl sends a cookie that HTTPS has set to the same host without it.
        Case(home, ["a=1"], "http://www.a.example/", nil),
        Case("http://www.a.example/", ["a=1"], "http://www.a.example/", "a=1"),
        Case("http://www.a.example/", ["a=1"], home, "a=1"),
        Case("http://www.a.example/", ["a=1; Secure"], home, nil),
        Case("http://127.0.0.1:8080/", ["a=1; Secure"], "http://127.0.0.1:8080/", "a=1"),
        Case("http://localhost/", ["a=1; Secure"], "http://localhost/", "a=1"),
        Case(home, ["__Secure-a=1"], home, nil),
        Case(home, ["__secure-a=1; Secure"], home, "__secure-a=1"),
        Case(home, ["__Host-a=1; Secure; Path=/"], home, "__Host-a=1"),
        Case(home, ["__Host-a=1; Secure"], home, nil),
        Case(home, ["__Host-a=1; Secure; Path=/; Domain=www.a.example"], home, nil),
        Case(home, ["__Host-a=1; Path=/"], home, nil),
        Case(home, ["=__Host-a=1; Secure; Path=/"], home, nil),
        // Pages of other sites; curl knows no sites.
        Case(home, ["a=1"], home, nil, page: "b.example"),
        Case(home, ["a=1; SameSite=Lax"], home, nil, page: "b.example"),
        Case(home, ["a=1; SameSite=Strict"], home, nil, page: "b.example"),
        Case(home, ["a=1; SameSite=None; Secure"], home, "a=1", page: "b.example"),
        Case(home, ["a=1; SameSite=None"], home, nil),
        Case(home, ["a=1; SameSite=Strict"], home, "a=1", page: "img.a.example"),
        Case(home, ["a=1; SameSite=Strict"], home, "a=1"),
        Case("https://me.github.io/", ["a=1"], "https://me.github.io/", nil, page: "you.github.io"),
    ]

    @Test("A request carries the cookies that its host may have set", arguments: cases)
    func decisions(_ item: Case) throws {
        let jar = try CookieJar()
        jar.receive(item.headers, of: Self.request(item.setBy))
        #expect(jar.header(for: Self.request(item.asked, page: item.page)) == item.cookies)
    }

    @Test("A photo of another site sets only cookies that are meant for other sites")
    func thirdParty() throws {
        let jar = try CookieJar()
        let photo = Self.request("https://cdn.example/p.jpg", page: "a.example")
        jar.receive(["a=1", "b=2; SameSite=None; Secure", "c=3; SameSite=Strict; Secure"], of: photo)
        #expect(jar.header(for: photo) == "b=2")
        #expect(jar.header(for: Self.request("https://cdn.example/")) == "b=2")
    }

    @Test("A reply without HTTPS does not replace a confidential cookie")
    func shadows() throws {
        let jar = try CookieJar()
        jar.receive(["a=1; Path=/"], of: Self.request(Self.home))
        jar.receive(["a=2; Path=/x", "b=2"], of: Self.request("http://www.a.example/"))
        #expect(jar.header(for: Self.request(Self.home + "x")) == "a=1; b=2")
    }

    @Test("Hosts that set any number of cookies do not fill the memory")
    func bounds() throws {
        let jar = try CookieJar()
        for number in 0..<2500 {
            jar.receive((0..<60).map { "c\($0)=\(number)" }, of: Self.request("https://h\(number).example/"))
        }
        #expect(jar.header(for: Self.request("https://h0.example/")) == nil)
        let last = jar.header(for: Self.request("https://h2499.example/"))
        #expect(last?.split(separator: "; ").count == 50)
    }

    @Test(
        "Dates are read as browsers read them",
        arguments: [
            ("Wed, 09 Jun 2021 10:18:14 GMT", 1_623_233_894), ("Wednesday, 09-Jun-21 10:18:14 GMT", 1_623_233_894),
            ("Wed Jun  9 10:18:14 2021", 1_623_233_894), ("2021 june 09 10:18:14", 1_623_233_894),
            ("1 Jan 70 00:00:00", 0), ("01 Jan 1600 00:00:00 GMT", nil), ("31 Feb 2021 00:00:00", nil),
            ("09 Jun 2021", nil), ("09 Jun 2021 25:00:00", nil), ("", nil),
        ] as [(String, Int?)])
    func dates(_ text: String, _ time: Int?) {
        #expect(Cookie.time(text) == time)
    }
}
