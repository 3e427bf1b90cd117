// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceFeeds

@Suite("Link header", .timeLimit(.minutes(10))) struct LinkHeaderTests {
    @Test(
        "Finds the next page in every form of the header",
        arguments: [
            #"<http://a/?page=2>; rel="next""#, #"<http://a/?page=2>;rel=next"#,
            #"<http://a/?page=1>; rel="prev", <http://a/?page=2>; rel="next", <http://a/?page=9>; rel="last""#,
            #"<http://a/?page=2>; title="a, b; rel=prev"; rel="next""#, #"<http://a/?page=2>; rel="start next""#,
            #"<http://a/?page=2>; REL="NEXT""#,
        ])
    func next(header: String) {
        #expect(LinkHeader([header])["next"] == "http://a/?page=2")
    }

    @Test("Addresses may contain commas and semicolons")
    func punctuation() {
        #expect(LinkHeader(["<http://a/?x=1,2;3>; rel=next"])["next"] == "http://a/?x=1,2;3")
    }

    @Test("Combines several fields and uses the first link of a relation")
    func several() {
        let links = LinkHeader(["<a>; rel=prev", "<b>; rel=next", "<c>; rel=next"])
        #expect(links["next"] == "b" && links["prev"] == "a")
    }

    @Test(
        "Ignores malformed links",
        arguments: ["", "<", "rel=next", "http://a; rel=next", "<a>", "<a; rel=next", ",,;;"])
    func malformed(header: String) {
        #expect(LinkHeader([header])["next"] == nil)
    }
}
