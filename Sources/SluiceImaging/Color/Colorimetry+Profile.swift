// SPDX-License-Identifier: MIT

internal import CLCMS

extension Colorimetry {
    /// Creates an equivalent profile for grey or RGB samples; `nil` if the values are impossible.
    ///
    /// The same values always give the same bytes.
    func profile(isGrey: Bool) -> [UInt8]? {
        guard let curve = unsafe curve.toneCurve else { return nil }
        defer { unsafe cmsFreeToneCurve(curve) }
        return isGrey ? unsafe grey(curve) : unsafe rgb(curve)
    }

    private func rgb(_ curve: OpaquePointer) -> [UInt8]? {
        var white = cmsCIExyY(x: primaries.white.x, y: primaries.white.y, Y: 1)
        var triple = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: primaries.red.x, y: primaries.red.y, Y: 1),
            Green: cmsCIExyY(x: primaries.green.x, y: primaries.green.y, Y: 1),
            Blue: cmsCIExyY(x: primaries.blue.x, y: primaries.blue.y, Y: 1))
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        return unsafe ColorProfile(owning: cmsCreateRGBProfile(&white, &triple, &curves))?.bytes
    }

    private func grey(_ curve: OpaquePointer) -> [UInt8]? {
        unsafe ColorProfile(owning: cmsCreateGrayProfile(cmsD50_xyY(), curve))?.bytes
    }
}

extension Colorimetry.Curve {
    /// The lcms2 curve, which the caller must free; `nil` if the gamma is out of range.
    fileprivate var toneCurve: OpaquePointer? {
        switch self {
        case .gamma(let gamma): return unsafe (0.1...10).contains(gamma) ? cmsBuildGamma(nil, gamma) : nil
        case .sRGB: return unsafe Self.parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .bt709: return unsafe Self.parametric([1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
        }
    }

    /// Creates a power curve with a linear segment at the dark end.
    private static func parametric(_ parameters: [Double]) -> OpaquePointer? {
        unsafe cmsBuildParametricToneCurve(nil, 4, parameters)
    }
}

extension ColorProfile {
    /// The profile's bytes with a fixed creation time.
    fileprivate var bytes: [UInt8]? {
        var count: UInt32 = 0
        guard unsafe cmsSaveProfileToMem(handle, nil, &count) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard unsafe cmsSaveProfileToMem(handle, &bytes, &count) != 0, bytes.count > 36 else { return nil }
        bytes.replaceSubrange(24..<36, with: [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }
}
