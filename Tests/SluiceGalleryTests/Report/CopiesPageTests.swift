// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceGallery

@Suite("CopiesPage", .timeLimit(.minutes(10))) struct CopiesPageTests {
    private func page(
        name: String = "originals/a.jpg", command: String = "sluice duplicates m", reference: Bool = false
    ) -> String {
        let photos = [
            CopiesPage.Photo(
                2, name: name, picture: "thumbs/256/a b?.jpg", bytes: 2000, facts: "best, 480 × 320",
                isReference: reference),
            CopiesPage.Photo(1, name: name, picture: nil, bytes: 1000, facts: "copy"),
        ]
        let page = CopiesPage(
            [photos], of: name, command: CopiesPage.Command(command, drop: "--drop", move: "--move"),
            folders: ("../m/", "../../other/"))
        return String(decoding: page.bytes, as: UTF8.self)
    }

    @Test("The page allows only its own style and script, by their hashes")
    func policy() throws {
        func hash(_ bytes: [UInt8]) -> String {
            "sha256-" + Data(sha256(bytes).chunks(of: 2).compactMap { UInt8($0, radix: 16) }).base64EncodedString()
        }
        #expect(Assets.copiesStyleHash == hash(PackageResources.copies_css))
        #expect(Assets.copiesScriptHash == hash(PackageResources.copies_js))
        let (page, hashes) = (page(), (Assets.copiesStyleHash, Assets.copiesScriptHash))
        #expect(page.contains("default-src 'none'; style-src '\(hashes.0)'; script-src '\(hashes.1)'; img-src 'self'"))
        for word in ["<link", " style=", " onclick", "url(", "innerHTML", "eval("] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test("The best photo is checked, the command drops the others, and addresses are relative and encoded")
    func content() {
        let page = page()
        #expect(page.contains("value=\"2\" data-bytes=\"2000\" data-best=\"1\" checked"))
        #expect(page.contains("sluice duplicates m --drop 1 --move copies</code>"))
        #expect(page.contains("src=\"../m/thumbs/256/a%20b%3F.jpg\""))
        let other = self.page(reference: true)
        #expect(
            other.contains("src=\"../../other/thumbs/256/a%20b%3F.jpg\"") && other.contains("Stays, in the reference"))
        #expect(!other.contains("value=\"2\""))
    }

    @Test("Untrusted text is escaped") func hostile() {
        let hostile = #"</title><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x' & ]]>"#
        let page = page(name: hostile, command: hostile)
        #expect(page.components(separatedBy: "<script").count == 2 && page.components(separatedBy: "<img").count == 2)
        #expect(!page.contains("\" onload") && page.contains("&lt;script&gt;"))
    }
}
