// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A column of the gallery's table that is hidden if it has no value for any entry.
///
/// The raw values are the CSS classes of the cells.
enum TableColumn: String, CaseIterable {
    case author = "who"
    case collection = "set"
    case state
    case size = "dims"
    case file = "weight"
    case date

    func hasValue(for tile: Tile) -> Bool {
        switch self {
        case .author: tile.author != nil
        case .collection: tile.collection != nil
        case .state: tile.state != .done
        case .size: tile.size != nil
        case .file: tile.original != nil
        case .date: tile.photo.date != nil
        }
    }
}
