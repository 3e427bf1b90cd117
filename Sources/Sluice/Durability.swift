// SPDX-License-Identifier: MIT

/// What of a run's work outlives a power cut; all of it outlives the process, whichever it is.
public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// All that a run tells as done: files and receipts are made safe together, several times a second.
    case batch
    /// The same, with a flush for each file: where another program writes so much to the disk that a flush of the whole
    /// disk takes long.
    case each
    /// What the system has written by itself; the last seconds before a power cut may be lost, files torn.
    case none
}
