// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceModel

/// How shards become pieces of a dataset: a function that exports a finished attempt, and its options.
///
/// The module of exports is no dependency of this one, so the caller provides the function.
public struct ShardDataset: Sendable {
    /// Exports a mirror into a new folder, with the columns of the whole plan; returns the number of exported photos,
    /// or `nil` if it was cancelled.
    public typealias Export =
        @Sendable (
            _ mirror: String, _ folder: String, _ columns: [ListedColumn], _ token: CancellationToken
        ) throws(MirrorError) -> Int?

    /// The options of the export in words, which all shards of a dataset share.
    public let words: [String]
    let export: Export

    /// Makes a description of datasets.
    ///
    /// The function must write the same bytes for the same mirror and columns.
    public init(words: [String], export: @escaping Export) { (self.words, self.export) = (words, export) }
}
