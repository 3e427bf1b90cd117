// SPDX-License-Identifier: MIT

internal import Synchronization

/// The ways to sRGB that were found so far: finding one takes longer than going it, and a run meets few profiles.
///
/// A list that only grows, so that any number of threads read it without a lock; what is found when it is full is used
/// once and forgotten, as are very large profiles.
final class ColorWays: Sendable {
    private final class Entry: Sendable {
        let profile: [UInt8]
        let layout: PixelLayout
        let isGrey: Bool
        let way: ColorWay
        let next = AtomicLazyReference<Entry>()

        init(_ profile: [UInt8], _ layout: PixelLayout, isGrey: Bool, _ way: ColorWay) {
            self.profile = profile
            self.layout = layout
            self.isGrey = isGrey
            self.way = way
        }
    }

    private static let mostEntries = 16
    private static let mostBytes = 1 << 20

    private let first = AtomicLazyReference<Entry>()

    /// The way from a profile, found now or before.
    func way(from profile: [UInt8], of layout: PixelLayout, isGrey: Bool) -> ColorWay {
        var last: Entry?
        var count = 0
        var entry = first.load()
        while let known = entry {
            if known.layout == layout, known.isGrey == isGrey, known.profile == profile { return known.way }
            last = known
            count += 1
            entry = known.next.load()
        }
        let way = ColorWay.find(from: profile, of: layout, isGrey: isGrey)
        if count < Self.mostEntries, profile.count <= Self.mostBytes {
            let found = Entry(profile, layout, isGrey: isGrey, way)
            // If another thread was faster, this one's find is used once; the next call finds room behind.
            _ = last?.next.storeIfNil(found) ?? first.storeIfNil(found)
        }
        return way
    }
}
