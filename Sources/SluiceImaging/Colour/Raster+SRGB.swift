// SPDX-License-Identifier: MIT

extension [Raster] {
    /// The pictures, which have one embedded profile or none, in sRGB; a profile that cannot be used is a note.
    func inSRGB(_ profile: [UInt8]?, notes: inout [String]) -> [Raster] {
        guard let profile, let layout = first?.layout else { return map(\.withoutInks) }
        guard let profile = ColourProfile(profile) else {
            notes.append("colour profile ignored: broken")
            return map(\.withoutInks)
        }
        guard profile.describes(layout) else {
            notes.append("colour profile ignored: it is for other samples")
            return map(\.withoutInks)
        }
        if profile.isSRGB { return self }
        guard let transform = ColourTransform(from: profile, of: layout) else {
            notes.append("colour profile ignored: no way from it to sRGB")
            return map(\.withoutInks)
        }
        return map { transform.apply($0) }
    }
}

extension Raster {
    /// Inks without a profile as light: what the colours leave of it, the black dims.
    fileprivate var withoutInks: Raster {
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
