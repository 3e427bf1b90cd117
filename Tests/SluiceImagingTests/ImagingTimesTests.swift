// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Imaging times", .timeLimit(.minutes(10))) struct PictureTimesTests {
    @Test("Decode, resample and encode times are measured without changing the result") func parts() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(640, 400))
        let thumbnailer = Thumbnailer()
        var times = ImagingTimes()
        let start = ContinuousClock.now
        let result = try thumbnailer.thumbnails(of: thumbnailer.open(ImageInput(file)), timing: &times)
        let whole = ContinuousClock.now - start
        #expect(times.decode > .zero && times.resample > .zero && times.encode > .zero)
        // Scaling time is extrapolated from some rows and may be overestimated.
        #expect(times.decode + times.encode <= whole)
        #expect(try thumbnailer.thumbnails(of: file) == result)
    }
}
