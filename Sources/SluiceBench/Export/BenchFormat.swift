// SPDX-License-Identifier: MIT

/// What results are written as.
public enum BenchFormat: String, Sendable, Hashable, CaseIterable {
    case json, csv, markdown, html

    /// Its name in a sentence.
    public var words: String {
        switch self {
        case .json: "JSON"
        case .csv: "CSV"
        case .markdown: "Markdown"
        case .html: "a page with charts"
        }
    }
}
