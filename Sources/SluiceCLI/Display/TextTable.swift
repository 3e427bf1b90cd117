// SPDX-License-Identifier: MIT

internal import SluiceBench
internal import SluiceModel

/// A table whose columns are aligned with spaces.
struct TextTable: Sendable {
    let head: [String]
    var rows: [[String]] = []
    /// The columns that are aligned on the right: numbers.
    var rightColumns: Set<Int> = []

    /// The least room for the last column; with less, its lines stay whole.
    private static let leastWidth = 12

    /// Returns the lines without trailing spaces; a head is for readers at a terminal, not for scripts.
    ///
    /// With `width` the last column is wrapped at words.
    func lines(style: Style, hasHead: Bool = true, width: Int? = nil) -> [String] {
        let all = ((hasHead ? [head] : []) + rows).flatMap { fitted($0, to: width) }
        let widths = head.indices.map { column in all.map { columnCount(withoutColors($0[column])) }.max() ?? 0 }
        let lines = all.map { cells in
            let columns = cells.indices.map { column in
                let gap = String(repeating: " ", count: widths[column] - columnCount(withoutColors(cells[column])))
                return rightColumns.contains(column) ? gap + cells[column] : cells[column] + gap
            }
            return String(columns.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        guard hasHead, let first = lines.first else { return lines }
        return [style.paint(first, .dim)] + lines.dropFirst()
    }

    /// Returns the row as rows whose last cells fit into the width.
    private func fitted(_ row: [String], to width: Int?) -> [[String]] {
        guard let width, let last = row.last, let column = head.indices.last, !rightColumns.contains(column) else {
            return [row]
        }
        let others = head.indices.dropLast().reduce(0) { sum, column in
            sum + 2 + (([head] + rows).map { columnCount(withoutColors($0[column])) }.max() ?? 0)
        }
        guard width - others >= Self.leastWidth, columnCount(withoutColors(last)) > width - others else { return [row] }
        let pieces = wrapped(last, to: width - others)
        return pieces.enumerated().map { index, piece in
            (index == 0 ? Array(row.dropLast()) : Array(repeating: "", count: row.count - 1)) + [piece]
        }
    }
}

extension Console {
    /// Prints a table to standard output, with a head if it is a terminal.
    func print(_ table: TextTable) {
        for line in table.lines(style: outStyle, hasHead: out.isTerminal, width: out.isTerminal ? out.columns : nil) {
            print(line)
        }
    }
}

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
