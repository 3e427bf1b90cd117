// SPDX-License-Identifier: MIT

package import SluiceModel

/// Items of one feed with missing or damaged files.
public struct BrokenItems: Sendable, Hashable {
    /// The sequence numbers of the items.
    public package(set) var items: [Int] = []
    /// Files that exist, but must be created again.
    package var files: TextSet = []
    /// The sizes of all thumbnails of the items.
    package var sizes: TextSet = []

    package init() {}
}
