// SPDX-License-Identifier: MIT

/// A table whose columns are aligned with spaces.
struct TextTable: Sendable {
    let head: [String]
    var rows: [[String]] = []
    /// The columns that are aligned on the right: numbers.
    var rightColumns: Set<Int> = []

    /// Returns the lines without trailing spaces; a head is for readers at a terminal, not for scripts.
    func lines(style: Style, hasHead: Bool = true) -> [String] {
        let all = (hasHead ? [head] : []) + rows
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
}

extension Console {
    /// Prints a table to standard output, with a head if it is a terminal.
    func print(_ table: TextTable) {
        for line in table.lines(style: outStyle, hasHead: out.isTerminal) { print(line) }
    }
}
