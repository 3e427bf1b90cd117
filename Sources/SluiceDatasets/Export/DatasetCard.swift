// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

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
            return "    - name: \(quoted(column.name))\n      dtype: \(type)\n"
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

    /// Returns a column's name as YAML: quoted unless it is a plain word, because a list's author may choose any name.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        let isWord = isPlain && name.utf8.first.map { $0 > 0x39 } == true && !constants.contains(name.lowercased())
        if isWord { return name }
        // It ends a line in YAML, but not in JSON.
        return JSON.string(name).serialized.replacing("\u{85}", with: "\\u0085")
    }

    /// The words that YAML reads as other values than texts.
    private static let constants: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
