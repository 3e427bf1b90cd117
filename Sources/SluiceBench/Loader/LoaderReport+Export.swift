// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// A file format for exported results.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    case json, csv, markdown

    /// The name in messages and help.
    package var displayName: String {
        switch self {
        case .json: "JSON"
        case .csv: "CSV"
        case .markdown: "Markdown"
        }
    }
}

extension LoaderReport {
    /// Returns the results as the contents of a file.
    package func exported(as format: ExportFormat) -> [UInt8] {
        switch format {
        case .json: json
        case .csv: Array(csv.utf8)
        case .markdown: Array(markdown.utf8)
        }
    }

    /// Writes the results to a file atomically.
    package func export(as format: ExportFormat, to path: String) throws(BenchError) {
        let place = Folder.place(of: path)
        do throws(FileError) {
            try Folder(place.folder).write(exported(as: format), to: place.name)
        } catch {
            throw BenchError(.local, "\(error)")
        }
    }

    private var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", 1)
            json.member("kind", "loader")
            write(to: &json)
        }
        json.newline()
        return json.bytes
    }

    private var csv: String {
        ([table.head] + table.rows).map { row in
            row.map { $0.contains(",") || $0.contains("\"") ? "\"\($0.replacing("\"", "\"\""))\"" : $0 }
                .joined(separator: ",") + "\r\n"
        }.joined()
    }

    private var markdown: String {
        let rule = table.head.indices.map { table.textColumns.contains($0) ? "---" : "---:" }
        let lines = [table.head, rule] + table.rows
        let text = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        let sentences = (findings + warnings).map { "- \($0)\n" }.joined()
        return "**Loader benchmark**\n\n\(conditions.joined(separator: " "))\n\n\(text)\n\(sentences)"
    }
}

extension String {
    /// Returns the text with every occurrence of a character replaced.
    func replacing(_ character: Character, _ replacement: String) -> String {
        split(separator: character, omittingEmptySubsequences: false).joined(separator: replacement)
    }
}
