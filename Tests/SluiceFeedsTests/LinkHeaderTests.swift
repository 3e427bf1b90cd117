// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceFeeds

@Suite("Link header") struct LinkHeaderTests {
    @Test(
        "The next page is found however the header is written",
        arguments: [
            #"<http://a/?page=2>; rel="next""#, #"<http://a/?page=2>;rel=next"#,
            #"<http://a/?page=1>; rel="prev", <http://a/?page=2>; rel="next", <http://a/?page=9>; rel="last""#,
            #"<http://a/?page=2>; title="a, b; rel=prev"; rel="next""#, #"<http://a/?page=2>; rel="start next""#,
            #"<http://a/?page=2>; REL="NEXT""#,
        ])
    func next(header: String) {
        #expect(LinkHeader([header])["next"] == "http://a/?page=2")
    }

    @Test("Commas and semicolons belong to an address")
    func punctuation() {
        #expect(LinkHeader(["<http://a/?x=1,2;3>; rel=next"])["next"] == "http://a/?x=1,2;3")
    }

    @Test("Several fields are one list, and the first of a relation counts")
    func several() {
        let links = LinkHeader(["<a>; rel=prev", "<b>; rel=next", "<c>; rel=next"])
        #expect(links["next"] == "b" && links["prev"] == "a")
    }

    @Test("Rubbish is no link", arguments: ["", "<", "rel=next", "http://a; rel=next", "<a>", "<a; rel=next", ",,;;"])
    func rubbish(header: String) {
        #expect(LinkHeader([header])["next"] == nil)
    }
}
