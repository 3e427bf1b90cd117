// SPDX-License-Identifier: MIT

public import SluiceModel

/// Which of a feed's photos are wanted; each condition that is given must hold.
public struct Selection: Sendable, Hashable {
    /// Their places in the feed's order.
    public var positions: PositionRanges?
    /// What must be true of them.
    public var filter: Filter?
    /// The collections that they may stand in, whatever the case of the letters; all where none is named.
    public var collections: [String] = []
    /// The earliest time of publication, in seconds since 1970; a photo without one is not wanted then.
    public var since: Int?

    /// Wants everything.
    public init() {}
}

/// A selection under way along a feed: it counts the places.
public struct Selector: Sendable {
    private let selection: Selection
    private let collections: Set<String>
    private var position = 0
    private var isUndatedTold = false

    /// Begins before the feed's first photo.
    public init(_ selection: Selection) {
        self.selection = selection
        collections = Set(selection.collections.map { $0.lowercased() })
    }

    /// Whether nothing that follows can be wanted.
    public var isOver: Bool { selection.positions.map { position >= $0.last } ?? false }

    /// Keeps what is wanted of a page, and adds a note where that is worth one.
    ///
    /// A flawed record is judged by its place alone: nobody knows the rest, and it must not go untold.
    public mutating func narrow(_ page: inout Page) {
        guard selection != Selection() else { return }
        page.photos = page.photos.filter { photo in
            position += 1
            guard selection.positions?.contains(position) ?? true else { return false }
            return photo.flaw != nil || isWanted(photo)
        }
        guard selection.since != nil, !isUndatedTold, hasMissedDate else { return }
        isUndatedTold = true
        page.notes.append("photos of which the feed tells no date are left out, because of --since")
    }

    private var hasMissedDate = false

    private mutating func isWanted(_ photo: Photo) -> Bool {
        if let since = selection.since {
            guard let date = photo.date else {
                hasMissedDate = true
                return false
            }
            guard date >= since else { return false }
        }
        guard collections.isEmpty || collections.contains(photo.collection?.lowercased() ?? "") else { return false }
        return selection.filter?.accepts(photo) ?? true
    }
}
