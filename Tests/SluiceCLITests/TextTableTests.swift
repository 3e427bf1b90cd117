// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

@Suite("Tables", .timeLimit(.minutes(10))) struct TextTableTests {
    @Test("Columns are aligned by their width on a terminal, with and without colours")
    func alignment() {
        var table = TextTable(head: ["PHOTOS", "CAUSE", "HOST"], rightColumns: [0])
        table.rows = [["2", "日本", "a.test"], ["1000000", "http-404", ""]]
        let lines = [" PHOTOS  CAUSE     HOST", "      2  日本      a.test", "1000000  http-404"]
        #expect(table.lines(style: Style()) == lines)
        #expect(table.lines(style: Style(), hasHead: false) == Array(lines.dropFirst()))
        let colored = Style(isColored: true)
        table.rows[0][1] = colored.paint("日本", .red)
        #expect(table.lines(style: colored).map(withoutColors) == lines)
        #expect(TextTable(head: ["A"]).lines(style: Style(), hasHead: false) == [])
    }

    @Test("The rows of a dry run fit on the terminal")
    func dryRun() {
        let lines = #"""
            {"seq":1,"id":"a","state":"skipped","url":"http://a.test/1.jpg","caption":"Haze in the valleys below Pell Island"}
            {"seq":1000000,"id":"b","state":"failed","cause":"bad-record","detail":"no URL"}

            """#
        let rows = DryRunRows(style: Style(), columns: 62).text(of: Array(lines.utf8))
        #expect(
            rows == """
                      1  Haze in the valleys below Pell …  http://a.test/1.jpg
                1000000  b                                 bad-record: no URL

                """)
        for columns in [50, 40] {
            let narrow = DryRunRows(style: Style(), columns: columns).text(of: Array(lines.utf8))
            #expect(narrow.split(separator: "\n").allSatisfy { columnCount(String($0)) <= columns }, "\(narrow)")
        }
    }

    @Test("The last column of a table is wrapped at words on a narrow terminal")
    func narrow() {
        var table = TextTable(head: ["SERVICE", "PHOTOS"])
        table.rows = [["demo", "Painted landscapes for trying Sluice"], ["met", "Works of art"]]
        let lines = [
            "SERVICE  PHOTOS", "demo     Painted landscapes", "         for trying Sluice", "met      Works of art",
        ]
        #expect(table.lines(style: Style(), width: 30) == lines)
        #expect(table.lines(style: Style(), width: 80).count == 3)
    }
}
