// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("PictureTimes") struct PictureTimesTests {
    @Test("Decode, resample and encode have their times, and change nothing of what is made") func parts() throws {
        let file = try Pictures.file(.jpeg, Pictures.landscape(640, 400))
        let thumbnailer = Thumbnailer()
        var times = PictureTimes()
        let start = ContinuousClock.now
        let result = try thumbnailer.thumbnails(of: thumbnailer.open(PictureBytes(file)), timing: &times)
        let whole = ContinuousClock.now - start
        #expect(times.decode > .zero && times.resample > .zero && times.encode > .zero)
        // Scaling is reckoned from some of the rows, so that it may be put too high.
        #expect(times.decode + times.encode <= whole)
        #expect(try thumbnailer.thumbnails(of: file) == result)
    }
}
