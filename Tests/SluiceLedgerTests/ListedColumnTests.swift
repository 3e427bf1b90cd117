// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

@Suite("Columns of lists", .timeLimit(.minutes(5))) struct ListedColumnTests {
    @Test(
        "A ledger and a plan find the same types",
        arguments: [
            (["1", "4611686018427387905"], .integer), (["1", "2.0"], .decimal), (["1", "\"inf\""], .decimal),
            (["0.5", "\"-Infinity\""], .decimal), (["\"inf\""], .text), (["true", "false"], .flag),
            (["true", "\"inf\""], .text), (["true", "1"], .text), (["1", "\"x\""], .text), (["[1]", "1"], .text),
            (["{}"], .text),
        ] as [([String], ListedColumn.Kind)])
    func kinds(values: [String], kind: ListedColumn.Kind) throws {
        let folder = TemporaryFolder()
        let ledger = try Ledger(in: Folder(folder.path))
        let run = try ledger.beginRun(source: "x", feed: "x", options: "", startedAt: 0)
        var columns = ListedColumns()
        let photos = values.enumerated().map { number, value in
            var photo = Samples.photo("\(number)")
            photo.columns = "{\"c\":\(value)}"
            columns.add(photo.columns ?? "")
            return photo
        }
        _ = try ledger.claim(Page(number: 1, photos: photos), in: run)
        let expected = [ListedColumn(name: "c", kind: kind)]
        #expect(columns.all == expected)
        #expect(try ledger.listedColumns() == expected)
    }
}
