// SPDX-License-Identifier: MIT

import Sluice
import SluiceImaging
import Testing

@testable import Sluice

/// What goes to a worker and comes back.
@Suite("Wire") struct WireTests {
    /// Options of which none is as it is without being asked for.
    private static var options: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 320, height: nil), ThumbnailSize(width: nil, height: 200)]
        (options.fit, options.gravity, options.enlarges) = (.pad, .attention, true)
        options.background = BackgroundColor(red: 1, green: 2, blue: 3, alpha: 4)
        (options.kernel, options.sharpen, options.qualityMode, options.isLinear) = (.area, 0.75, .exact, true)
        (options.profile, options.keeps, options.format) = (.keep, [.gps, .copyright], .webp)
        (options.quality, options.isProgressive, options.subsampling) = (61, true, .full)
        (options.isLossless, options.maxBytes, options.salvages) = (true, 12_345, true)
        options.limits.pixels = 7
        options.limits.scans = 8
        options.limits.memory = 9
        options.limits.seconds = 0.25
        return options
    }

    private static func bytes<Value>(
        of value: Value, _ carry: (inout Wire, inout Value) throws(Wire.Malformed) -> Void
    ) throws -> [UInt8] {
        var (value, wire) = (value, Wire())
        try carry(&wire, &value)
        return wire.bytes
    }

    @Test("Every option arrives; one that is added to them shows here")
    func options() throws {
        let bytes = try Self.bytes(of: Self.options) { (wire, options) throws(Wire.Malformed) in
            try wire.carry(&options)
        }
        var read = ThumbnailOptions()
        var wire = Wire(reading: bytes)
        try wire.carry(&read)
        #expect(read == Self.options && wire.isAtEnd)
        for (set, plain) in [(Self.options as Any, ThumbnailOptions() as Any), (Self.options.limits, ImageLimits())] {
            let parts = zip(Swift.Mirror(reflecting: set).children, Swift.Mirror(reflecting: plain).children)
            for (part, other) in parts { #expect("\(part.value)" != "\(other.value)", "\(part.label ?? "")") }
        }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static var answer: Answer {
        var answer = Answer()
        answer.thumbnails = [Answer.Picture(width: 3, height: 4, format: .png, bytes: signature)]
        (answer.color, answer.placeholder, answer.notes) = ("#010203", "abc", ["odd", ""])
        answer.damage = ImagingError(.truncated, "é")
        (answer.times.decode, answer.times.resample) = (.seconds(2), .microseconds(3))
        answer.times.encode = .milliseconds(4)
        return answer
    }

    @Test("An answer arrives, and becomes what was asked for and nothing else")
    func answers() throws {
        let bytes = try Self.bytes(of: Self.answer) { (wire, answer) throws(Wire.Malformed) in try wire.carry(&answer) }
        var read = Answer()
        var wire = Wire(reading: bytes)
        try wire.carry(&read)
        let info = ImageInfo(format: .jpeg, width: 30, height: 40)
        let size = ThumbnailSize(width: 4, height: 4)
        let result = try #require(read.result(of: info, sizes: [size]))
        #expect(result == Self.answer.result(of: info, sizes: [size]) && wire.isAtEnd)
        #expect(
            result.thumbnails.map(\.bytes) == [Self.signature] && result.damage?.detail == "é" && result.phash == nil)
        #expect(read.times == Self.answer.times)
        #expect(read.result(of: info, sizes: [size, size]) == nil)
        read.thumbnails[0].bytes = Array("<html>".utf8)
        #expect(read.result(of: info, sizes: [size]) == nil)
    }

    @Test("What a broken worker says is refused, or is an answer like another: it never ends the run")
    func malformed() throws {
        let bytes = try Self.bytes(of: Self.answer) { (wire, answer) throws(Wire.Malformed) in try wire.carry(&answer) }
        for count in bytes.indices {
            var answer = Answer()
            var wire = Wire(reading: Array(bytes.prefix(count)))
            #expect(throws: Wire.Malformed.self) { try wire.carry(&answer) }
        }
        for place in bytes.indices {
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                var answer = Answer()
                var wire = Wire(reading: changed)
                _ = try? wire.carry(&answer)
            }
        }
    }
}
