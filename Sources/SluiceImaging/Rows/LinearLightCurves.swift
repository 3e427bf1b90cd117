// SPDX-License-Identifier: MIT

internal import CLCMS

/// The curves between an image's samples and linear light, one for each channel except alpha.
///
/// Linear light has 16 bits, of which the darkest step of sRGB spans twenty levels.
final class LinearLightCurves: Sendable {
    private static let peak = 65535

    private let shape: RowShape
    /// The number of channels with a curve; a further channel is alpha.
    private let colors: Int
    /// The linear light for each sample, channel by channel.
    private let light: [UInt16]
    /// The nearest 8-bit sample for each level of light, channel by channel.
    private let samples: [UInt8]

    /// Creates the curves of an embedded profile, or of sRGB; `nil` if the profile has no curves.
    init?(_ profile: [UInt8]?, of shape: RowShape, isGrey: Bool) {
        guard shape.layout != .cmyk, let profile = Self.open(profile, shape.layout, isGrey: isGrey) else { return nil }
        self.shape = shape
        colors = shape.layout == .grey ? 1 : 3
        var light: [UInt16] = []
        var samples: [UInt8] = []
        for channel in 0..<colors {
            let isFound: Void? = unsafe profile.withCurve(of: channel) { curve in
                unsafe light += Self.makeLightTable(curve, count: shape.depth == 16 ? Self.peak + 1 : 256)
                unsafe samples += Self.makeSampleTable(curve)
            }
            guard isFound != nil else { return nil }
        }
        self.light = light
        self.samples = samples
    }

    private static func open(_ bytes: [UInt8]?, _ layout: PixelLayout, isGrey: Bool) -> ColorProfile? {
        if let bytes, let profile = ColorProfile(bytes), profile.describes(layout, isGrey: isGrey) { return profile }
        return ColorProfile(sRGB: ())
    }

    private static func makeLightTable(_ curve: OpaquePointer, count: Int) -> [UInt16] {
        (0..<count).map { unsafe UInt16(lightLevel(curve, Double($0) / Double(count - 1)).rounded()) }
    }

    /// Creates the inverse table: each sample covers the light up to the midpoint between it and the next sample.
    private static func makeSampleTable(_ curve: OpaquePointer) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(peak + 1)
        for sample in 0..<255 {
            let end = unsafe Int(lightLevel(curve, (Double(sample) + 0.5) / 255).rounded(.up))
            while samples.count < end { samples.append(UInt8(sample)) }
        }
        while samples.count <= peak { samples.append(255) }
        return samples
    }

    private static func lightLevel(_ curve: OpaquePointer, _ sample: Double) -> Double {
        let value = unsafe Double(cmsEvalToneCurveFloat(curve, Float(sample)))
        return value > 0 ? min(value, 1) * Double(peak) : 0
    }

    /// Converts a decoder's row to linear light; alpha is only widened to 16 bits.
    func linearize(_ row: Span<UInt8>, into target: borrowing SampleBuffer<UInt16>) {
        let channels = shape.layout.channels
        precondition(row.count == shape.rowBytes && target.count == shape.width * channels, "the row is of the shape")
        let steps = light.count / colors
        unsafe light.withUnsafeBufferPointer { light in
            unsafe row.withUnsafeBytes { bytes in
                for pixel in stride(from: 0, to: target.count, by: channels) {
                    for channel in 0..<channels {
                        let index = pixel + channel
                        let sample =
                            unsafe steps > 256
                            ? Int(bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)) : Int(bytes[index])
                        unsafe target.base[index] =
                            channel < colors
                            ? light[channel * steps + sample] : UInt16(sample * Self.peak / (steps - 1))
                    }
                }
            }
        }
    }

    /// Converts linear light, premultiplied by alpha if there is one, to 8-bit samples.
    func encode(_ row: borrowing SampleBuffer<Float>, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        let channels = shape.layout.channels
        precondition(row.count >= bytes.count, "the row holds the pixels")
        for first in stride(from: 0, to: bytes.count, by: channels) {
            let start = unsafe row.base + first
            let alpha = unsafe channels > colors ? start[colors] : Float(Self.peak)
            let scale = alpha > 0.5 ? Float(Self.peak) / alpha : 0
            for channel in 0..<colors {
                let light = unsafe Self.rounded(start[channel] * scale, to: Self.peak)
                unsafe bytes[first + channel] = samples[channel * (Self.peak + 1) + light]
            }
            if channels > colors { unsafe bytes[first + colors] = UInt8(Self.rounded(alpha / 257, to: 255)) }
        }
    }

    private static func rounded(_ value: Float, to most: Int) -> Int {
        value > 0 ? min(most, Int(min(value, Float(most)) + 0.5)) : 0
    }
}

extension ColorProfile {
    /// Passes the curve from a channel's samples to light to `body`; returns `nil` if the profile uses tables instead.
    func withCurve<Result>(of channel: Int, _ body: (OpaquePointer) -> Result) -> Result? {
        let tables = [cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigDToB0Tag, cmsSigDToB1Tag]
        guard !tables.contains(where: { unsafe cmsIsTag(handle, $0) != 0 }) else { return nil }
        let tags = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
        guard let tag = unsafe cmsReadTag(handle, isGrey ? cmsSigGrayTRCTag : tags[channel]) else { return nil }
        return unsafe body(OpaquePointer(tag))
    }
}

/// Converts a decoder's rows of high dynamic range to 8-bit sRGB and forwards them.
final class ToneMapper<Receiver: RowReceiving>: RowReceiving {
    private let receiver: Receiver
    private let map: ToneMap
    private var shape: RowShape?
    private var row = SampleBuffer<UInt8>(count: 0, zero: 0)

    init(_ range: HighDynamicRange, for receiver: Receiver) {
        (self.receiver, map) = (receiver, ToneMap(range))
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        self.shape = shape
        var mapped = shape
        mapped.depth = 8
        row = SampleBuffer(count: mapped.rowBytes, zero: 0)
        try receiver.begin(mapped)
    }

    func receive(_ row: Span<UInt8>) {
        guard let shape, row.count == shape.rowBytes else { return }
        unsafe row.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            if shape.depth == 16 {
                unsafe map.convert(
                    base.assumingMemoryBound(to: UInt16.self), shape.layout, pixels: shape.width, into: self.row.base)
            } else {
                unsafe map.convert(
                    base.assumingMemoryBound(to: UInt8.self), shape.layout, pixels: shape.width, into: self.row.base)
            }
        }
        self.row.withSpan(0..<self.row.count) { receiver.receive($0) }
    }
}
