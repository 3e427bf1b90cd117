// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

@Suite("Linear light", .timeLimit(.minutes(10))) struct LinearTests {
    static func linear(
        _ file: [UInt8], _ size: String, _ change: (inout ThumbnailOptions) -> Void = { _ in }
    ) throws -> (file: [UInt8], notes: [String]) {
        let size = try #require(ThumbnailSize(size))
        return try ColorTests.thumbnail(file) {
            $0.sizes = [size]
            $0.isLinear = true
            change(&$0)
        }
    }

    static func light(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    static func sample(_ light: Double) -> Double {
        let light = min(1, max(0, light))
        return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// Computes the thumbnail in floating point: scales the pixels' light, premultiplied by alpha if there is one.
    static func truth(
        _ image: Raster, _ width: Int, _ height: Int, light: (Double) -> Double = Self.light,
        sample: (Double) -> Double = Self.sample
    ) -> [Double] {
        let channels = image.layout.channels
        let colors = image.layout == .rgba ? 3 : channels
        var lights = image.bytes.map { Double($0) / 255 }
        for pixel in stride(from: 0, to: lights.count, by: channels) {
            let alpha = colors < channels ? lights[pixel + colors] : 1
            for channel in 0..<colors { lights[pixel + channel] = light(lights[pixel + channel]) * alpha }
        }
        var out = ReferenceScaler.scale(lights, image.width, image.height, channels, to: width, height)
        for pixel in stride(from: 0, to: out.count, by: channels) {
            // Alpha may overshoot 1 by ringing; the colours overshoot equally, so the quotient is correct.
            let alpha = colors < channels ? out[pixel + colors] : 1
            for channel in 0..<colors { out[pixel + channel] = alpha > 0 ? sample(out[pixel + channel] / alpha) : 0 }
            if colors < channels { out[pixel + colors] = min(1, max(0, alpha)) }
        }
        return out.map { $0 * 255 }
    }

    static func busy(_ layout: PixelLayout) -> Raster {
        SampleImages.make(67, 45, layout) { x, y in
            [x * 37 + y * 91, x * 5 ^ y * 11, x * y + 40, x < 33 ? 255 : 60 + (x * y) % 196].prefix(
                layout.channels
            ).map { UInt8($0 % 256) }
        }
    }

    @Test(
        "Linear resampling agrees with floating point", arguments: [PixelLayout.grey, .rgb, .rgba],
        ["33x22", "10x7", "67x45", "90x60"])
    func truth(layout: PixelLayout, size: String) throws {
        let image = Self.busy(layout)
        let made = try decode(
            Self.linear(SampleImages.file(.png, image), size) {
                $0.fit = .fill
            }.file)
        let truth = Self.truth(image, made.width, made.height)
        #expect(made.layout == layout && made.bytes.count == truth.count)
        let worst = zip(made.bytes, truth).map { abs(Double($0) - $1) }.max()
        #expect(try #require(worst) <= (layout == .rgba ? 1.5 : 0.6), "\(worst ?? 0)")
    }

    @Test("A fine black and white checkerboard becomes half the light")
    func chequer() throws {
        let fine = SampleImages.make(64, 64, .grey) { x, y in [(x + y) % 2 == 0 ? 255 : 0] }
        let file = try SampleImages.file(.png, fine)
        #expect(try decode(Self.linear(file, "8").file).bytes.allSatisfy { abs(Int($0) - 188) <= 1 })
        #expect(
            try decode(Self.linear(file, "8") { $0.isLinear = false }.file).bytes.allSatisfy { abs(Int($0) - 128) <= 1 }
        )
    }

    @Test("Linear light uses the profile's own curve, even for kept profiles and 16-bit samples")
    func profile() throws {
        let image = Self.busy(.rgb)
        let file = try FilesWithMetadata.file(image, .png, LCMSProfiles.proPhoto)
        let truth = Self.truth(image, 20, 13, light: { pow($0, 1.8) }, sample: { pow(max(0, $0), 1 / 1.8) })
        for profile in [ThumbnailOptions.Profile.keep, .srgb] {
            let made = try decode(
                Self.linear(file, "20x13") {
                    $0.fit = .fill
                    $0.profile = profile
                }.file)
            let own = Raster(width: 20, height: 13, layout: .rgb, bytes: truth.map { UInt8(min(255, $0).rounded()) })
            let wanted = profile == .keep ? truth : LCMSProfiles.truth(own, LCMSProfiles.proPhoto)
            let worst = zip(made.bytes, wanted).map { abs(Double($0) - $1) }.max()
            #expect(try #require(worst) <= (profile == .keep ? 0.6 : 5))
        }
        let stripped = try Self.linear(file, "20x13") { $0.profile = .strip }
        #expect(try stripped.file == Self.linear(SampleImages.file(.png, image), "20x13").file)
        var deepRows: [UInt8] = []
        for y in 0..<45 { deepRows += [0] + image.bytes[y * 201..<(y + 1) * 201].flatMap { [$0, $0] } }
        let deep = FileBuilder.png(header: FileBuilder.header(width: 67, height: 45, depth: 16), rows: deepRows)
        #expect(
            try decode(Self.linear(deep, "20").file).distance(
                to: decode(Self.linear(SampleImages.file(.png, image), "20").file)) <= 1)
    }

    @Test(
        "All formats and several sizes resample in linear light, with equal results each time",
        arguments: ImageFormat.encodable)
    func formats(format: ImageFormat) throws {
        let image = SampleImages.landscape(320, 200)
        var options = ThumbnailOptions()
        options.isLinear = true
        options.format = .png
        options.sizes = [64, 32, 16].map { ThumbnailSize(width: $0, height: $0) }
        let file = try SampleImages.file(format, image)
        let first = try Thumbnailer(options).thumbnails(of: file)
        #expect(try Thumbnailer(options).thumbnails(of: file) == first && first.notes.isEmpty)
        for thumbnail in first.thumbnails {
            let truth = Self.truth(image, thumbnail.width, thumbnail.height)
            let worst = try zip(decode(thumbnail.bytes).bytes, truth).map { abs(Double($0) - $1) }.max()
            #expect(try #require(worst) <= (format == .png ? 0.6 : 12))
        }
    }

    @Test("CMYK and table profiles have no tone curves, which is a note")
    func noCurves() throws {
        let file = FilesWithMetadata.file(
            of: CustomJPEGs.file(ColorTests.inks), ColorTests.inks, .jpeg, LCMSProfiles.cmyk)
        let made = try Self.linear(file, "60")
        #expect(made.notes == ["not resampled in linear light: the profile has no tone curves"])
        #expect(
            try made.file
                == Self.linear(file, "60") {
                    $0.isLinear = false
                    $0.qualityMode = .exact
                }.file)
    }
}
