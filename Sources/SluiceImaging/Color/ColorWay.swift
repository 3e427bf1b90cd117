// SPDX-License-Identifier: MIT

/// How pictures with one colour profile come to sRGB.
final class ColorWay: Sendable {
    /// What is done to a picture, if anything.
    private enum Step: ~Copyable, Sendable {
        case none
        case greys(GreyCurve)
        case colors(ColorTransform)
    }

    private let step: Step
    /// Why the profile is left out of account, if it is.
    let note: String?
    /// The profile as it may be written into a thumbnail; empty if it may not.
    let embeddable: [UInt8]

    private init(_ step: consuming Step, embeddable: [UInt8] = [], note: String? = nil) {
        self.step = step
        self.embeddable = embeddable
        self.note = note
    }

    /// Finds the way from an embedded profile; one that cannot be used leads nowhere, and leaves a note.
    static func find(from bytes: [UInt8], of layout: PixelLayout, isGrey: Bool) -> ColorWay {
        guard let profile = ColorProfile(bytes) else { return nowhere("broken") }
        guard profile.describes(layout, isGrey: isGrey) else { return nowhere("it is for other samples") }
        let embeddable = profile.embeddable(bytes) ?? []
        // A rounding either way is no reason to touch every pixel.
        if let curve = profile.isGrey ? GreyCurve(from: profile) : nil {
            return ColorWay(curve.isIdle ? .none : .greys(curve), embeddable: embeddable)
        }
        guard let transform = ColorTransform(from: profile, of: layout) else {
            return nowhere("no way from it to sRGB")
        }
        if transform.isIdle(for: layout) { return ColorWay(.none, embeddable: embeddable) }
        return ColorWay(.colors(transform), embeddable: embeddable)
    }

    private static func nowhere(_ reason: String) -> ColorWay {
        ColorWay(.none, note: "colour profile ignored: \(reason)")
    }

    /// The picture in sRGB.
    func apply(_ raster: Raster) -> Raster {
        switch step {
        case .none: raster.withoutInks
        case .greys(let curve): curve.apply(raster)
        case .colors(let transform): transform.apply(raster)
        }
    }
}

extension Raster {
    /// Inks without a profile as light: what the colours leave of it, the black dims.
    var withoutInks: Raster {
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
