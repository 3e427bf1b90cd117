// SPDX-License-Identifier: MIT

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
