// SPDX-License-Identifier: MIT

/// A page of tables whose rows are divided into the same kinds, in the style of a run's report.
package struct SharesPage: Sendable {
    /// A row with the number of things of each kind.
    package struct Row: Sendable {
        var name: String
        package private(set) var counts: [Int]

        /// Creates a row; `counts` has a number for each kind of the page.
        package init(_ name: String, _ counts: [Int]) { (self.name, self.counts) = (name, counts) }
    }

    /// A table and a remark below it.
    package struct Table: Sendable {
        var heading: String
        /// The head of the column with the rows' names.
        var column: String
        var rows: [Row]
        var remark: String

        /// Creates a table; an empty remark is left out.
        package init(_ heading: String, by column: String, _ rows: [Row], remark: String = "") {
            (self.heading, self.column, self.rows, self.remark) = (heading, column, rows, remark)
        }
    }

    /// The CSS classes of the kinds, in their order.
    private static let cssClasses = ["two", "three", "four", "five", "one"]

    private let kind: String
    private let title: String
    private let names: [String]
    private let all: [Int]
    private let tables: [Table]

    /// Creates a page of a kind of report; `names` has at most five kinds, and `all` the numbers of all things.
    package init(_ kind: String, of title: String, kinds names: [String], all: [Int], _ tables: [Table]) {
        (self.kind, self.title, self.names, self.all, self.tables) = (kind, title, names, all, tables)
    }

    /// The page, without scripts and other files.
    package var bytes: [UInt8] {
        let frame = ReportFrame(kind: kind, tab: kind, title: title.shown(upTo: 300) ?? kind, counts: counts)
        return frame.page(
            html { html in
                html.markup("<section class=\"finding\" aria-label=\"All\">")
                html.append(whole)
                html.markup("</section>\n")
                for table in tables { html.append(section(of: table)) }
            })
    }

    private var counts: String { zip(all, names).map { "\($0) \($1)" }.joined(separator: ", ") }

    private var whole: HTML {
        let shares = zip(zip(all, names), Self.cssClasses).map {
            StackedBar.Share(name: $0.1, cssClass: $1, value: Double($0.0))
        }
        return StackedBar(id: "all", title: kind, shares: shares, whole: Double(all.reduce(0, +))).html
    }

    private func section(of table: Table) -> HTML {
        html { html in
            html.markup("<section><h2>")
            html.text(table.heading)
            html.markup("</h2>")
            html.table("Shares", [table.column] + names) { html in
                for row in table.rows {
                    let sum = Double(max(1, row.counts.reduce(0, +)))
                    let bar = zip(Self.cssClasses, row.counts).map { ($0, Double($1) / sum) }
                    html.row([row.name] + row.counts.map(String.init), bar: bar)
                }
            }
            if !table.remark.isEmpty {
                html.markup("<p>")
                html.text(table.remark)
                html.markup("</p>")
            }
            html.markup("</section>")
        }
    }
}
