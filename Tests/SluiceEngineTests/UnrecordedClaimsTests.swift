// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceEngine

@Suite("Unrecorded claims", .timeLimit(.minutes(1))) struct UnrecordedClaimsTests {
    private func photo(_ url: String) -> Photo { Photo(id: "a", variants: [Variant(name: "full", url: url)]) }

    /// Each repeat was once compared with the latest URL, so that a repeat of the first one counted as a conflict.
    @Test("A repeated photo conflicts only if its URL differs from the first")
    func firstURL() throws {
        var claims = UnrecordedClaims()
        var conflicts: [String] = []
        for url in ["https://x.test/1", "https://x.test/2", "https://x.test/1"] {
            _ = try claims.claim(Page(number: 1, photos: [photo(url)])) { conflicts.append($0.variants[0].url) }
        }
        #expect(conflicts == ["https://x.test/2"])
        #expect(claims.keys.count == 1)
    }
}
