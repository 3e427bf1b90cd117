// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The contents of staged files that are not on the disk, by their temporary names.
struct StagedContents: Sendable {
    /// The contents that an object gets when it is committed.
    enum Content: Sendable {
        case bytes([UInt8])
        /// The content of another object.
        case copy(of: String, StoredFile)

        fileprivate var size: Int { if case .bytes(let bytes) = self { bytes.count } else { 0 } }
    }

    private var contents: TextMap<Content> = [:]
    /// The size of all contents in memory.
    private(set) var bytes = 0

    subscript(temporary: String) -> Content? { contents[temporary] }

    mutating func set(_ content: Content, for temporary: String) {
        remove(temporary)
        contents[temporary] = content
        bytes += content.size
    }

    /// Removes a content; returns false if there is none.
    @discardableResult
    mutating func remove(_ temporary: String) -> Bool {
        guard let content = contents.removeValue(forKey: temporary) else { return false }
        bytes -= content.size
        return true
    }
}
