// SPDX-License-Identifier: MIT

internal import CLCMS

/// Converts images with one colour profile to sRGB.
final class ColorConversion: Sendable {
    /// The operation on an image's samples, if any.
    private enum Step: ~Copyable, Sendable {
        case none
        case grey(GreyLookupTable)
        case colors(ColorTransform)
    }

    private let step: Step
    /// The reason why the profile is ignored, as a note; `nil` if it is used.
    let note: String?
    /// The profile in the form that thumbnails may embed; empty if they may not.
    let embeddable: [UInt8]

    private init(_ step: consuming Step, embeddable: [UInt8] = [], note: String? = nil) {
        self.step = step
        self.embeddable = embeddable
        self.note = note
    }

    /// Finds the conversion for an embedded profile; an unusable profile gives a conversion without effect and a note.
    static func find(from bytes: [UInt8], of layout: PixelLayout, isGrey: Bool) -> ColorConversion {
        guard let profile = ColorProfile(bytes) else { return unusable("broken") }
        guard profile.describes(layout, isGrey: isGrey) else {
            return unusable("it describes a different colour space")
        }
        let embeddable = profile.embeddable(bytes) ?? []
        // Differences of one step are not worth processing every pixel.
        if let table = profile.isGrey ? GreyLookupTable(from: profile) : nil {
            return ColorConversion(table.isIdentity ? .none : .grey(table), embeddable: embeddable)
        }
        guard let transform = ColorTransform(from: profile, of: layout) else {
            return unusable("lcms2 cannot convert it to sRGB")
        }
        if transform.isIdentity(for: layout) { return ColorConversion(.none, embeddable: embeddable) }
        return ColorConversion(.colors(transform), embeddable: embeddable)
    }

    private static func unusable(_ reason: String) -> ColorConversion {
        ColorConversion(.none, note: "colour profile ignored: \(reason)")
    }

    /// Returns the image in sRGB.
    func apply(_ raster: Raster) -> Raster {
        switch step {
        case .none: raster.cmykAsRGB
        case .grey(let table): table.apply(raster)
        case .colors(let transform): transform.apply(raster)
        }
    }
}

extension Raster {
    /// A simple conversion of CMYK without a profile: each colour times black.
    var cmykAsRGB: Raster {
        guard layout == .cmyk else { return self }
        var light: [UInt8] = []
        light.reserveCapacity(width * height * 3)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let black = Int(bytes[pixel + 3])
            for channel in 0..<3 { light.append(UInt8((Int(bytes[pixel + channel]) * black + 127) / 255)) }
        }
        return Raster(width: width, height: height, layout: .rgb, bytes: light)
    }
}

/// A cache of the conversions to sRGB for the first few profiles that occur.
final class ColorConversionCache: Sendable {
    private struct Key: Equatable {
        let profile: [UInt8]
        let layout: PixelLayout
        let isGrey: Bool
    }

    /// The largest profile to cache, in bytes.
    private static let maxBytes = 1 << 20

    private let cache = InsertOnlyCache<Key, ColorConversion>(capacity: 16)

    /// Returns the conversion for a profile, from the cache if possible.
    func conversion(from profile: [UInt8], of layout: PixelLayout, isGrey: Bool) -> ColorConversion {
        func find() -> ColorConversion { ColorConversion.find(from: profile, of: layout, isGrey: isGrey) }
        guard profile.count <= Self.maxBytes else { return find() }
        return cache.value(for: Key(profile: profile, layout: layout, isGrey: isGrey), compute: find)
    }
}

/// A lookup table from a grey profile's samples to sRGB, which is exact and fast.
struct GreyLookupTable: Sendable {
    private let samples: [UInt8]

    /// Converts each sample with lcms2; `nil` if lcms2 cannot convert the profile.
    init?(from profile: borrowing ColorProfile) {
        guard
            let transform = ColorTransform(from: profile, clcms_grey8(), to: clcms_rgb8(), UInt32(cmsFLAGS_NOOPTIMIZE))
        else { return nil }
        let colors = transform.apply(Array(0...255), pixels: 256, channels: 3)
        samples = (0..<256).map { colors[$0 * 3] }
    }

    /// Whether no sample changes by more than one step.
    var isIdentity: Bool { samples.indices.allSatisfy { abs(Int(samples[$0]) - $0) <= 1 } }

    /// Returns a grey image in sRGB, also if it is stored as RGB with equal channels; alpha is unchanged.
    func apply(_ raster: Raster) -> Raster {
        var converted = raster
        for index in raster.bytes.indices where raster.layout != .rgba || index % 4 < 3 {
            converted.bytes[index] = samples[Int(raster.bytes[index])]
        }
        return converted
    }
}
