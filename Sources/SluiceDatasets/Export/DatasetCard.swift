// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// The file in which `datasets.load_dataset` finds the types of a dataset's members.
///
/// Without it, `datasets` takes the types from the first five photos, and fails at values that are null in all five.
enum DatasetCard {
    static let name = "README.md"

    /// The content for a dataset whose pictures have one format.
    static func text(_ columns: [DatasetColumn], pictures: ImageFormat) -> String {
        let members = columns.map { column in
            let type =
                switch column.value {
                case .integer: "int64"
                case .decimal: "float64"
                case .flag: "bool"
                case .text, .time: "string"
                }
            return "    - name: \(column.name)\n      dtype: \(type)\n"
        }
        return """
            ---
            dataset_info:
              features:
              - name: \(pictures.fileExtension)
                dtype: image
              - name: json
                struct:
            \(members.joined())  - name: txt
                dtype: string
              - name: __key__
                dtype: string
              - name: __url__
                dtype: string
            ---

            """
    }
}
