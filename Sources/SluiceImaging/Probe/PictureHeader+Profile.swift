// SPDX-License-Identifier: MIT

extension PictureHeader {
    /// The most bytes of a colour profile that is believed.
    static let mostProfileBytes = 4 << 20

    /// The colour profile, embedded or made of what the file tells by numbers; `nil` if the colours are sRGB's, or the
    /// profile is too big.
    func readProfile(_ source: PictureBytes) throws(ImagingError) -> [UInt8]? {
        if let told = colors.overProfile { return made(of: told) }
        if let embedded = try readEmbeddedProfile(source) { return embedded }
        return colors.underProfile.flatMap(made)
    }

    private func readEmbeddedProfile(_ source: PictureBytes) throws(ImagingError) -> [UInt8]? {
        guard info.hasProfile else { return nil }
        // A PNG's is packed, and libpng unpacks it.
        if info.format == .png {
            return try unsafe source.withInput { input throws(ImagingError) in
                let reader = try unsafe PNGReader(input)
                _ = try reader.start()
                return reader.profile
            }
        }
        let total = profile.reduce(0) { $0 + $1.count }
        guard total > 0, total <= Self.mostProfileBytes else { return nil }
        var bytes: [UInt8] = []
        for part in profile { bytes += try source.read(at: part.lowerBound, count: part.count) }
        return bytes
    }

    private func made(of colors: Colorimetry) -> [UInt8]? {
        colors.isSRGB ? nil : colors.profile(isGrey: info.colorModel == .grey)
    }
}
