// SPDX-License-Identifier: MIT

/// The ways to sRGB that were found so far.
final class ColorWays: Sendable {
    private struct Start: Equatable {
        let profile: [UInt8]
        let layout: PixelLayout
        let isGrey: Bool
    }

    /// The most bytes of a profile that is remembered.
    private static let mostBytes = 1 << 20

    private let known = Memo<Start, ColorWay>(most: 16)

    /// The way from a profile, found now or before.
    func way(from profile: [UInt8], of layout: PixelLayout, isGrey: Bool) -> ColorWay {
        func find() -> ColorWay { ColorWay.find(from: profile, of: layout, isGrey: isGrey) }
        guard profile.count <= Self.mostBytes else { return find() }
        return known.value(for: Start(profile: profile, layout: layout, isGrey: isGrey), find: find)
    }
}
