// SPDX-License-Identifier: MIT

package import SluiceModel
internal import SluiceTransfer

/// The user's choice of photos from a feed; a photo must meet every condition that is set.
public struct Selection: Sendable, Hashable {
    /// The positions in the feed's order.
    public var positions: PositionRanges?
    /// The condition on the photos' fields.
    public var filter: Filter?
    /// The allowed collections, ignoring case; empty allows all.
    public var collections: [String] = []
    /// The earliest publication time, in seconds since 1970; if set, it excludes photos without a date.
    public var since: Int?

    /// Creates a selection of all photos.
    public init() {}
}

/// Applies a selection to a feed's pages, which must come in order.
package struct PhotoSelector: Sendable {
    private let selection: Selection
    private let collections: Set<String>
    private var position = 0
    private var hasUndatedPhotos = false
    private var hasNotedUndatedPhotos = false
    /// Whether a photo was selected, or an invalid record.
    private var hasSelected = false
    /// The columns of the filter that no photo had so far.
    private var missingColumns: [String]
    /// The columns of the first photo that has some.
    private var knownColumns: [String] = []

    /// Starts before the feed's first photo.
    package init(_ selection: Selection) {
        self.selection = selection
        collections = Set<String>(selection.collections.map { $0.lowercased() })
        missingColumns = selection.filter?.columns ?? []
    }

    /// Whether no later photo can be selected.
    package var isFinished: Bool { selection.positions.map { position >= $0.last } ?? false }

    /// Removes the photos that are not selected, and adds a note when the date condition excludes undated photos.
    ///
    /// Invalid records are selected by position only, because their fields are unknown and they must be reported.
    package mutating func apply(to page: inout Page) {
        guard selection != Selection() else { return }
        page.photos = page.photos.filter { photo in
            position += 1
            guard selection.positions?.contains(position) ?? true else { return false }
            if !missingColumns.isEmpty {
                missingColumns.removeAll { photo.column(named: $0) != nil }
                if knownColumns.isEmpty { knownColumns = photo.columnNames }
            }
            let isSelected = photo.invalidReason != nil || isSelected(photo)
            hasSelected = hasSelected || isSelected
            return isSelected
        }
        guard selection.since != nil, !hasNotedUndatedPhotos, hasUndatedPhotos else { return }
        hasNotedUndatedPhotos = true
        page.notes.append("photos without a date are excluded, because only newer photos are selected")
    }

    /// Says why no photo was selected; `nil` if one was, or if none was read.
    package var note: String? {
        guard selection != Selection(), position > 0, !hasSelected else { return nil }
        let columns = missingColumns.map { "'\($0)'\(didYouMean(closestMatch(to: $0, in: knownColumns)))" }
            .joined(separator: ", ")
        let reason = columns.isEmpty ? "" : "; none has the column \(columns)"
        return "no photo is selected of the \(position) that were read\(reason)"
    }

    private mutating func isSelected(_ photo: Photo) -> Bool {
        if let since = selection.since {
            guard let date = photo.date else {
                hasUndatedPhotos = true
                return false
            }
            guard date >= since else { return false }
        }
        guard collections.isEmpty || collections.contains(photo.collection?.lowercased() ?? "") else { return false }
        return selection.filter?.accepts(photo) ?? true
    }
}

/// Positions in a feed's order, counted from 1, such as `1-100,200-`.
public struct PositionRanges: Sendable, Hashable {
    private let ranges: [ClosedRange<Int>]

    /// Parses ranges separated by commas, such as `7`, `1-100`, `200-` and `-50`; `nil` if the text is invalid.
    public init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Whether any range contains the position.
    func contains(_ position: Int) -> Bool { ranges.contains { $0.contains(position) } }

    /// The last position of all ranges.
    var last: Int { ranges.map(\.upperBound).max() ?? 0 }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, !text.isEmpty, text != "-",
            let low = first.isEmpty ? 1 : number(first), let high = last.isEmpty ? .max : number(last), low <= high
        else { return nil }
        return low...high
    }

    /// Parses a positive number that consists of digits only.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Parses publication dates in the formats that feeds and users write.
package enum PublishedDate {
    /// Parses a date into seconds since 1970; `nil` if the text is not a date.
    ///
    /// Accepts `2026-01-31`, `2026-01-31T09:30:00+02:00`, and the formats of mail and HTTP. The default zone is UTC.
    package static func seconds(of text: String) -> Int? {
        if let date = UTCTime.seconds(ofISO: text) { return date }
        // Texts without letters are excluded because libcurl also parses bare numbers as dates.
        return text.contains { $0.isLetter } ? parseHTTPDate(text) : nil
    }
}
