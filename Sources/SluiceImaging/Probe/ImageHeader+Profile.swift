// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// The maximum size of an embedded colour profile in bytes; larger ones are ignored.
    static let maxProfileBytes = 4 << 20

    /// Returns the embedded colour profile, or one made from the file's colour chunks.
    ///
    /// Returns `nil` if the colours are sRGB or the profile is too large.
    func readProfile(_ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        if let overriding = pngColors.overridingColors { return makeProfile(of: overriding) }
        if let embedded = try readEmbeddedProfile(input) { return embedded }
        return pngColors.fallbackColors.flatMap(makeProfile)
    }

    private func readEmbeddedProfile(_ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        guard info.hasProfile else { return nil }
        // A PNG's profile is compressed, so libpng unpacks it.
        if info.format == .png {
            return try unsafe input.withCInput { cInput throws(ImagingError) in
                let reader = try unsafe PNGReader(cInput)
                _ = try reader.start()
                return reader.profile
            }
        }
        let total = profileRanges.reduce(0) { $0 + $1.count }
        guard total > 0, total <= Self.maxProfileBytes else { return nil }
        var bytes: [UInt8] = []
        for part in profileRanges { bytes += try input.read(at: part.lowerBound, count: part.count) }
        return bytes
    }

    private func makeProfile(of colors: Colorimetry) -> [UInt8]? {
        colors.isSRGB ? nil : colors.profile(isGrey: info.colorModel == .grey)
    }
}
