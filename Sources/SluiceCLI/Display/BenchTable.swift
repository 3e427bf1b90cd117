// SPDX-License-Identifier: MIT

internal import SluiceBench
internal import SluiceModel

/// Formats benchmark results for a terminal: one line per setting, with a small bar, without columns of zeros.
struct BenchTable {
    private let table: ResultTable
    private let style: Style

    init(_ table: ResultTable, style: Style) {
        self.table = table.withoutEmptyColumns
        self.style = style
    }

    /// The header line, then one line per setting.
    var lines: [String] {
        let head = withBar(table.head, "")
        let rows = zip(table.rows, table.shares).map { withBar($0, bar($1)) }
        return TextTable(head: head, rows: rows, rightColumns: Set(head.indices.filter { !isLeft($0) }))
            .lines(style: style)
    }

    private func withBar(_ cells: [String], _ bar: String) -> [String] {
        Array(cells[...table.barColumn]) + [bar] + Array(cells[(table.barColumn + 1)...])
    }

    private func isLeft(_ column: Int) -> Bool {
        column == table.barColumn + 1 || table.textColumns.contains(column > table.barColumn ? column - 1 : column)
    }

    /// Returns a bar of up to ten columns, with a resolution of an eighth if the terminal supports Unicode.
    private func bar(_ share: Double) -> String {
        guard style.isUnicode else { return String(repeating: "#", count: Int(rounding: share * 10)) }
        let eighths = Int(rounding: share * 80)
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}

extension ResultTable {
    /// The table without optional columns whose cells are all zero or empty.
    fileprivate var withoutEmptyColumns: ResultTable {
        let kept = head.indices.filter { column in
            !optionalColumns.contains(column) || rows.contains { !["", "0.0"].contains($0[column]) }
        }
        var table = self
        table.head = kept.map { head[$0] }
        table.rows = rows.map { row in kept.map { row[$0] } }
        table.textColumns = Set(kept.indices.filter { textColumns.contains(kept[$0]) })
        table.optionalColumns = []
        return table
    }
}
