// SPDX-License-Identifier: MIT

import SluiceTransfer
import Testing

@testable import SluiceEngine

/// The expected keys are those of the Python package surt.
@Suite("Sort keys", .timeLimit(.minutes(5))) struct SortKeyTests {
    @Test(
        "Addresses of one page have one key, as in other programs",
        arguments: [
            ("http://www.Example.com/Photos/1.JPG", "com,example)/photos/1.jpg"),
            ("https://www2.example.com:443/a//b/./c/../d/", "com,example)/a/b/d"),
            ("http://example.com:8080/a?b=2&a=1&a=0&c", "com,example:8080)/a?a=0&a=1&b=2&c"),
            ("http://127.0.0.1:8471/p/1.jpg", "1,0,0,127:8471)/p/1.jpg"),
            ("http://a.example/x%2520y?q=%E4%B8%AD", "example,a)/x%20y?q=%e4%b8%ad"),
            ("http://a.example/?", "example,a)/"),
            ("http://a.example", "example,a)/"),
            ("http://a.example/a?PHPSESSID=0123456789abcdef0123456789abcdef&x=1", "example,a)/a?x=1"),
            ("http://a.example/%7Ename/%C3%A9", "example,a)/~name/%c3%a9"),
            ("http://a.example/a?b=1&&c", "example,a)/a?&b=1&c"),
            ("http://a.example/a%23b%25c", "example,a)/a%23b%25c"),
            ("http://a.example/a;b=1/c/", "example,a)/a;b=1/c"),
            ("http://[::1]:8080/a", "::1:8080)/a"),
            ("http://www.com/", "com)/"),
        ])
    func keys(address: String, key: String) throws {
        let address = try #require(WebAddress(address))
        #expect(SortKey.of(address) == key)
    }
}
