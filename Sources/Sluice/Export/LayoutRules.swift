// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the files of a layout contain.
struct LayoutRules {
    /// The content of a photo's JSON member.
    enum Metadata {
        /// The line of the manifest, in which missing facts are absent.
        case manifestLine
        /// All columns, each with the same type in every sample: a missing text is empty and a missing number is 0.
        ///
        /// Readers that take the types from a few samples fail at a column that is null in all of these.
        case typedColumns
    }

    let metadata: Metadata
    /// Whether a photo without a caption has an empty one.
    let hasEmptyCaptions: Bool
    /// The formats of which all pictures must have the same one; `nil` if there is no such rule.
    let uniformFormats: [StoredFormat]?
}

extension DatasetLayout {
    /// What the layout's files contain.
    var rules: LayoutRules {
        switch self {
        case .webdataset:
            LayoutRules(metadata: .manifestLine, hasEmptyCaptions: false, uniformFormats: nil)
        case .huggingface:
            LayoutRules(
                metadata: .typedColumns, hasEmptyCaptions: true, uniformFormats: [.jpeg, .png, .webp, .gif])
        }
    }
}
