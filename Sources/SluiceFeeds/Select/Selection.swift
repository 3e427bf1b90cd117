// SPDX-License-Identifier: MIT

package import SluiceModel

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
