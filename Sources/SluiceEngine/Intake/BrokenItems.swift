// SPDX-License-Identifier: MIT

/// Items of one feed with missing or damaged files.
public struct BrokenItems: Sendable, Hashable {
    /// The sequence numbers of the items.
    public package(set) var items: [Int] = []
    /// Files that exist, but must be created again.
    package var files: Set<String> = []
    /// The sizes of all thumbnails of the items.
    package var sizes: Set<String> = []

    package init() {}
}
