// SPDX-License-Identifier: MIT

/// How pictures with one colour profile come to sRGB.
final class ColorWay: Sendable {
    private let transform: ColorTransform?
    /// Why the profile is left out of account, if it is.
    let note: String?

    /// Finds the way from an embedded profile; one that cannot be used leads nowhere, and leaves a note.
    init(from profile: [UInt8], of layout: PixelLayout) {
        guard let profile = ColorProfile(profile) else {
            transform = nil
            note = "colour profile ignored: broken"
            return
        }
        guard profile.describes(layout) else {
            transform = nil
            note = "colour profile ignored: it is for other samples"
            return
        }
        transform = profile.isSRGB ? nil : ColorTransform(from: profile, of: layout)
        note = transform == nil && !profile.isSRGB ? "colour profile ignored: no way from it to sRGB" : nil
    }

    /// The picture in sRGB.
    func apply(_ raster: Raster) -> Raster {
        transform?.apply(raster) ?? raster.withoutInks
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
