// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel

/// What a bench found, as far as its tables, charts and files are concerned.
public protocol BenchReport: Sendable {
    /// What was measured, in a word: `loader`.
    var kind: String { get }
    /// What was measured, for a page's head.
    var title: String { get }
    /// What it was measured on and with, a sentence each.
    var conditions: [String] { get }
    /// The figures.
    var table: ResultTable { get }
    /// What follows from them, a sentence each.
    var findings: [String] { get }
    /// What makes figures doubtful, a sentence each.
    var doubts: [String] { get }
    /// The pictures of them.
    var charts: [LineChart] { get }
    /// Writes the members of JSON that are this kind's own: the conditions, and `points` with names and `rates`.
    func write(to json: inout JSONWriter)
}

extension BenchReport {
    /// The results as a file's bytes.
    public func exported(as format: BenchFormat) -> [UInt8] {
        switch format {
        case .json: json
        case .csv: Array(csv.utf8)
        case .markdown: Array(markdown.utf8)
        case .html: Array(ResultPage(self).html.utf8)
        }
    }

    /// Writes the results to a file, whole or not at all.
    public func export(as format: BenchFormat, to path: String) throws(BenchError) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        do throws(FileError) {
            try Folder(parent).write(exported(as: format), to: name)
        } catch {
            throw BenchError(.local, "\(error)")
        }
    }

    private var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", 1)
            json.member("kind", kind)
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
        let rule = table.head.indices.map { table.words.contains($0) ? "---" : "---:" }
        let lines = [table.head, rule] + table.rows
        let text = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        let sentences = (findings + doubts).map { "- \($0)\n" }.joined()
        return "**\(title)**\n\n\(conditions.joined(separator: " "))\n\n\(text)\n\(sentences)"
    }
}

extension String {
    /// The text with each occurrence of a character made another text.
    func replacing(_ character: Character, _ replacement: String) -> String {
        split(separator: character, omittingEmptySubsequences: false).joined(separator: replacement)
    }
}
