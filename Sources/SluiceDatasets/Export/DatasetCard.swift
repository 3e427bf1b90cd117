// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceLedger
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

    /// The number of rows of the table of statements.
    private static let maxStatements = 200

    /// Describes the statements about the use of the mirror's photos by host, and whether photos were left out because
    /// of them; empty if there are none.
    static func statements(_ usage: [Ledger.UsageCount], _ respected: DatasetOptions.Reservations) -> String {
        guard !usage.isEmpty else { return "" }
        let rows = usage.prefix(maxStatements).map { count in
            let isReserved = UsageTerms(text: count.usage).reservesTraining
            let fate = isReserved && respected == .ai ? "left out" : isReserved ? "exported, reserved" : "exported"
            let host = count.host.isEmpty ? "(files)" : cell(count.host)
            return "| \(host) | \(cell(count.usage)) | \(count.photos) | \(fate) |\n"
        }
        let others = usage.dropFirst(maxStatements).reduce(0) { $0 + $1.photos }
        return """
            ## Statements about use

            What hosts and files stated about the use of the mirror's photos when they were downloaded. Signatures were not
            verified.

            | host | statement | photos | in this dataset |
            |---|---|---:|---|
            \(rows.joined())\(others > 0 ? "\nFurther statements concern \(others) photos.\n" : "")
            """
    }

    /// Returns a text for a cell of a table in Markdown, because a host may state anything.
    private static func cell(_ text: String) -> String {
        var cell = ""
        for scalar in text.unicodeScalars where scalar.value >= 0x20 {
            if "\\|<>*_`[]&#!~".unicodeScalars.contains(scalar) { cell.append("\\") }
            cell.unicodeScalars.append(scalar)
        }
        return cell
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
