// SPDX-License-Identifier: MIT

internal import Sluice

/// The kinds of values that select photos.
extension Argument {
    /// Places in the feed's order: `1-100,200-`.
    func positions() throws(Refusal) -> PositionRanges {
        guard let ranges = PositionRanges(text) else {
            throw Refusal("places from 1 on with commas between them, such as 7, 1-100 or 200-")
        }
        return ranges
    }

    /// A condition; what is wrong with it is told with its place.
    func filter() throws(Refusal) -> Filter {
        do throws(FilterError) { return try Filter(text) } catch {
            throw Refusal("a condition such as 'width>=1000 && license~\"CC\"' (\(error))")
        }
    }

    /// Why photos failed: `dns,timeout`.
    func causes() throws(Refusal) -> CauseSet {
        guard let causes = CauseSet(text) else {
            throw Refusal("causes with commas between them, such as dns,timeout,http-5xx,http-404")
        }
        return causes
    }

    /// A time, in seconds since 1970.
    func date() throws(Refusal) -> Int {
        guard let date = PublishedDate.seconds(of: text) else {
            throw Refusal("a date such as 2026-01-31 or 2026-01-31T09:30Z")
        }
        return date
    }
}
