// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceGallery

@Suite("Gallery progress", .timeLimit(.minutes(5))) struct GalleryProgressTests {
    private func progress(done: Int, failed: Int = 0, bytes: Int = 0, expected: Int? = nil) -> GalleryProgress {
        var progress = GalleryProgress()
        (progress.done, progress.failed, progress.bytes, progress.expected) = (done, failed, bytes, expected)
        return progress
    }

    @Test("The text has the position, the failures, the speeds and the time left")
    func text() {
        let earlier = progress(done: 20, failed: 1, bytes: 1_000_000)
        let now = progress(done: 1040, failed: 2, bytes: 21_000_000, expected: 1553)
        #expect(
            now.text(since: earlier, over: .seconds(10))
                == "1\u{202F}042 of 1\u{202F}553 photos · 2 failed · 102 photos/s · 2 MB/s · 6 s left")
    }

    @Test("Unknown facts are left out") func bare() {
        #expect(progress(done: 0).text(since: GalleryProgress(), over: .zero) == "0 photos")
        let known = progress(done: 5, expected: 5)
        #expect(known.text(since: known, over: .seconds(2)) == "5 of 5 photos")
        #expect(known.text(since: GalleryProgress(), over: .seconds(2)) == "5 of 5 photos · 2.5 photos/s")
    }
}
