// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

@Suite("Linear light") struct LinearTests {
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

    /// The thumbnail reckoned in floating point: every pixel's light is mixed, by alpha if there is one.
    static func truth(
        _ picture: Raster, _ width: Int, _ height: Int, light: (Double) -> Double = Self.light,
        sample: (Double) -> Double = Self.sample
    ) -> [Double] {
        let channels = picture.layout.channels
        let colors = picture.layout == .rgba ? 3 : channels
        var lights = picture.bytes.map { Double($0) / 255 }
        for pixel in stride(from: 0, to: lights.count, by: channels) {
            let alpha = colors < channels ? lights[pixel + colors] : 1
            for channel in 0..<colors { lights[pixel + channel] = light(lights[pixel + channel]) * alpha }
        }
        var out = Plain.scale(lights, picture.width, picture.height, channels, to: width, height)
        for pixel in stride(from: 0, to: out.count, by: channels) {
            // What rings over full opacity rings in the colours too, and cancels out.
            let alpha = colors < channels ? out[pixel + colors] : 1
            for channel in 0..<colors { out[pixel + channel] = alpha > 0 ? sample(out[pixel + channel] / alpha) : 0 }
            if colors < channels { out[pixel + colors] = min(1, max(0, alpha)) }
        }
        return out.map { $0 * 255 }
    }

    static func busy(_ layout: PixelLayout) -> Raster {
        Pictures.make(67, 45, layout) { x, y in
            [x * 37 + y * 91, x * 5 ^ y * 11, x * y + 40, x < 33 ? 255 : 60 + (x * y) % 196].prefix(
                layout.channels
            ).map { UInt8($0 % 256) }
        }
    }

    @Test(
        "Light is mixed as in floating point", arguments: [PixelLayout.grey, .rgb, .rgba],
        ["33x22", "10x7", "67x45", "90x60"])
    func truth(layout: PixelLayout, size: String) throws {
        let picture = Self.busy(layout)
        let made = try decode(
            Self.linear(Pictures.file(.png, picture), size) {
                $0.fit = .fill
            }.file)
        let truth = Self.truth(picture, made.width, made.height)
        #expect(made.layout == layout && made.bytes.count == truth.count)
        let worst = zip(made.bytes, truth).map { abs(Double($0) - $1) }.max()
        #expect(try #require(worst) <= (layout == .rgba ? 1.5 : 0.6), "\(worst ?? 0)")
    }

    @Test("A fine chequer of black and white is as bright as half the light")
    func chequer() throws {
        let fine = Pictures.make(64, 64, .grey) { x, y in [(x + y) % 2 == 0 ? 255 : 0] }
        let file = try Pictures.file(.png, fine)
        #expect(try decode(Self.linear(file, "8").file).bytes.allSatisfy { abs(Int($0) - 188) <= 1 })
        #expect(
            try decode(Self.linear(file, "8") { $0.isLinear = false }.file).bytes.allSatisfy { abs(Int($0) - 128) <= 1 }
        )
    }

    @Test("Light follows the profile's own curve, also where the profile is kept or the samples are deep")
    func profile() throws {
        let picture = Self.busy(.rgb)
        let file = try Profiled.file(picture, .png, MadeProfiles.proPhoto)
        let truth = Self.truth(picture, 20, 13, light: { pow($0, 1.8) }, sample: { pow(max(0, $0), 1 / 1.8) })
        for profile in [ThumbnailOptions.Profile.keep, .srgb] {
            let made = try decode(
                Self.linear(file, "20x13") {
                    $0.fit = .fill
                    $0.profile = profile
                }.file)
            let own = Raster(width: 20, height: 13, layout: .rgb, bytes: truth.map { UInt8(min(255, $0).rounded()) })
            let wanted = profile == .keep ? truth : MadeProfiles.truth(own, MadeProfiles.proPhoto)
            let worst = zip(made.bytes, wanted).map { abs(Double($0) - $1) }.max()
            #expect(try #require(worst) <= (profile == .keep ? 0.6 : 5))
        }
        let stripped = try Self.linear(file, "20x13") { $0.profile = .strip }
        #expect(try stripped.file == Self.linear(Pictures.file(.png, picture), "20x13").file)
        var deepRows: [UInt8] = []
        for y in 0..<45 { deepRows += [0] + picture.bytes[y * 201..<(y + 1) * 201].flatMap { [$0, $0] } }
        let deep = Files.png(header: Files.header(width: 67, height: 45, depth: 16), rows: deepRows)
        #expect(
            try decode(Self.linear(deep, "20").file).distance(
                to: decode(Self.linear(Pictures.file(.png, picture), "20").file)) <= 1)
    }

    @Test("All formats and several sizes are mixed so, the same each time", arguments: [ImageFormat.jpeg, .png, .webp])
    func formats(format: ImageFormat) throws {
        let picture = Pictures.landscape(320, 200)
        var options = ThumbnailOptions()
        options.isLinear = true
        options.format = .png
        options.sizes = [64, 32, 16].map { ThumbnailSize(width: $0, height: $0) }
        let file = try Pictures.file(format, picture)
        let first = try Thumbnailer(options).thumbnails(of: file)
        #expect(try Thumbnailer(options).thumbnails(of: file) == first && first.notes.isEmpty)
        for thumbnail in first.thumbnails {
            let truth = Self.truth(picture, thumbnail.width, thumbnail.height)
            let worst = try zip(decode(thumbnail.bytes).bytes, truth).map { abs(Double($0) - $1) }.max()
            #expect(try #require(worst) <= (format == .png ? 0.6 : 12))
        }
    }

    @Test("Inks, and colours told by a table, have no curve, which is a note")
    func noCurves() throws {
        let file = Profiled.file(of: OddJPEGs.file(ColorTests.inks), ColorTests.inks, .jpeg, MadeProfiles.cmyk)
        let made = try Self.linear(file, "60")
        #expect(made.notes == ["not resampled in linear light: the colours have no curves"])
        #expect(
            try made.file
                == Self.linear(file, "60") {
                    $0.isLinear = false
                    $0.qualityMode = .exact
                }.file)
    }
}
