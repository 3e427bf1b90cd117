// SPDX-License-Identifier: MIT

import Sluice
import SluiceEngine
import SluiceModel
import Testing

@testable import SluiceCLI

@Suite("Summary text", .timeLimit(.minutes(10))) struct SummaryTextTests {
    private func lines(expected: Int? = nil, _ change: (inout Summary) -> Void) -> [String] {
        var summary = Summary()
        summary.pages = 3
        summary.duration = .seconds(7.2)
        change(&summary)
        let text = SummaryText(
            summary: summary, folder: "demo-mirror", writesGallery: true, expected: expected)
        return text.lines(style: Style())
    }

    @Test("The summary is one sentence, followed by details")
    func usual() {
        let lines = lines {
            $0.done = 88
            $0.failed = 2
            $0.bytesReceived = 11_900_000
            $0.thumbs = 88
            $0.thumbBytes = 700_000
            $0.causes = [.truncated: 1, .httpClientError(404): 1]
        }
        #expect(
            lines == [
                "90 photos: 88 done, 2 failed, in 7.2 s",
                "  downloaded  11.9 MB, 12.2 photos/s, 1.7 MB/s",
                "  thumbnails  88, 700 kB",
                "  causes      1 http-404, 1 truncated",
                "  explain     sluice explain demo-mirror says how to recover them",
                "  gallery     demo-mirror/index.html",
            ])
    }

    @Test("Unsupported photos are counted by format")
    func formats() {
        var summary = Summary()
        for format in ["pdf", "tiff", "tiff"] {
            var receipt = Receipt(.failed, failure: Failure(.unsupported, "Sluice cannot read it"))
            receipt.failure?.format = format
            summary.count(.itemEnded(Samples.item(1), .failed(receipt)))
        }
        let lines = SummaryText(summary: summary, folder: "small", writesGallery: false).lines(style: Style())
        #expect(lines.contains("  causes   3 unsupported (2 tiff, 1 pdf)"))
    }

    @Test("Originals without a thumbnail are counted by format, and those over a limit together")
    func originals() {
        var summary = Summary()
        for (cause, format) in [(Cause.unsupported, "pdf"), (.tooManyPixels, "png"), (.decodeLimit, "webp")] {
            var receipt = Receipt(.done, failure: Failure(cause, ""))
            receipt.failure?.format = format
            receipt.original = StoredFile(path: "a", bytes: 1, sha256: "")
            summary.count(.itemEnded(Samples.item(1), .done(receipt)))
        }
        let lines = SummaryText(summary: summary, folder: "small", writesGallery: false).lines(style: Style())
        #expect(lines.last == "  originals   3 without a thumbnail (1 pdf, 2 over a limit)", "\(lines)")
    }

    @Test("Salvaged photos and notes are counted separately from failures")
    func damage() {
        var summary = Summary()
        summary.count(.itemNoted(Samples.item(1), "odd"))
        summary.count(.itemEnded(Samples.item(1), Samples.done()))
        summary.count(.itemEnded(Samples.item(2), Samples.salvaged(.truncated, "no end")))
        #expect((summary.done, summary.salvaged, summary.notes, summary.causes) == (2, 1, 1, [:]))
        let lines = SummaryText(summary: summary, folder: "small", writesGallery: false).lines(style: Style())
        #expect(
            lines.suffix(2) == [
                "  incomplete  1 photo without the end of the file",
                "  notes       1 about photos that are done; use --json to list them",
            ])
    }

    @Test("Peak memory is shown with the limit")
    func memory() {
        var summary = Summary()
        (summary.pages, summary.done, summary.peakMemory) = (1, 1, 61_300_000)
        let text = SummaryText(summary: summary, folder: "a", writesGallery: false, memory: 512 << 20)
        #expect(text.lines(style: Style()).last == "  memory      61.3 MB at most (--memory 512M)")
    }

    @Test("Bytes saved by skipping photos are shown")
    func savedBytes() {
        let lines = lines { ($0.skipped, $0.bytesSaved, $0.causes) = (2, 2_500_000, [.policy: 2]) }
        #expect(lines[1] == "  saved    2.5 MB by skipping photos early", "\(lines)")
    }

    @Test("Bytes saved by stopping downloads are shown")
    func unneededBytes() {
        let lines = lines { ($0.done, $0.parts) = (2, [.scans: .init(items: 2, bytesUnneeded: 1_500_000)]) }
        #expect(lines.contains("  saved       1.5 MB by stopping downloads of 2 photos early"), "\(lines)")
    }

    @Test("Bytes saved by previews are part of those")
    func previews() {
        var summary = Summary()
        for (number, part) in Receipt.Part.allCases.enumerated() {
            var receipt = Receipt(.done)
            (receipt.part, receipt.bytesUnneeded) = (part, 1_000_000 * (number + 1))
            summary.count(.itemEnded(Samples.item(number), .done(receipt)))
        }
        let lines = SummaryText(summary: summary, folder: "a", writesGallery: false).lines(style: Style())
        #expect(lines.contains("  saved       3.0 MB by stopping downloads of 2 photos early"), "\(lines)")
        #expect(lines.contains("  previews    2.0 MB of that, from the metadata of 1 photo"), "\(lines)")
    }

    @Test("Originals that existed count as reused and not as downloaded")
    func reused() {
        var summary = Summary()
        summary.count(.itemEnded(Samples.item(1), Samples.done(bytes: 2_000)))
        summary.count(.itemEnded(Samples.item(2), Samples.done(isReused: true)))
        #expect((summary.done, summary.reused, summary.bytesReceived) == (2, 1, 2_000))
        let lines = lines { ($0.done, $0.reused, $0.bytesReceived) = (2, 1, 2_000) }
        #expect(
            lines[1...2] == ["  downloaded  2.0 kB, 0.3 photos/s, 278 bytes/s", "  reused      1 original"], "\(lines)")
    }

    @Test("A second run reports that all photos are present")
    func second() {
        let lines = lines { $0.kept = 90 }
        #expect(lines[0] == "nothing to download: all 90 photos were already done (7.2 s)")
        #expect(lines.count == 2)
    }

    @Test("The summary of thumbs does not mention downloads")
    func thumbs() {
        var summary = Summary()
        summary.duration = .seconds(2)
        (summary.pages, summary.done, summary.thumbs, summary.thumbBytes) = (1, 8, 16, 64_000)
        func lines(_ summary: Summary) -> [String] {
            SummaryText(summary: summary, folder: "small", writesGallery: false, purpose: .thumbs).lines(style: Style())
        }
        #expect(
            lines(summary) == ["8 photos: 8 done, in 2.0 s", "  speed       4.0 photos/s", "  thumbnails  16, 64.0 kB"])
        (summary.done, summary.kept, summary.thumbs) = (0, 8, 0)
        #expect(lines(summary) == ["nothing to do: all 8 photos were already done (2.0 s)"])
        summary.kept = 0
        #expect(lines(summary) == ["no photos found"])
    }

    @Test("A stopped run counts photos that the stop cancelled as remaining")
    func stopped() {
        let lines = lines(expected: 1000) {
            $0.done = 120
            $0.skipped = 16
            $0.causes = [.cancelled: 16]
            $0.stop = .signal(2)
        }
        #expect(lines[0] == "stopped: 120 done, 880 remaining; run again to continue")
        #expect(!lines.contains { $0.contains("causes") })
    }

    private static let reasons: [(StopReason, Bool)] = [
        (.signal(2), true), (.limit("enough"), true), (.local(Failure(.disk, "full", hint: .freeDiskSpace)), true),
        (.local(Failure(.disk, "denied", hint: .checkPermissions)), false),
        (.local(Failure(.disk, "Input/output error")), false), (.damaged(Failure(.disk, "damaged")), false),
    ]

    @Test("The summary suggests another run only if that can continue")
    func advice() {
        for (reason, suggestsRun) in Self.reasons {
            let line = lines { ($0.done, $0.stop) = (1, reason) }[0]
            #expect(line == "stopped: 1 done\(suggestsRun ? "; run again to continue" : "")")
        }
    }

    /// The line about the page has the reason, and the summary repeated it twice.
    @Test("An unreadable feed has no summary, unlike an empty one")
    func empty() {
        #expect(lines { _ in } == ["no photos: the feed lists none, or the options select none"])
        let broken = lines {
            $0.pages = 0
            $0.failedPages = 1
            $0.causes = [.connect: 1]
        }
        #expect(broken.isEmpty)
    }
}

@Suite("Exit code", .timeLimit(.minutes(10))) struct ExitCodeTests {
    private func code(_ change: (inout Summary) -> Void) -> Int32 {
        var summary = Summary()
        summary.pages = 1
        change(&summary)
        return ExitCode(summary).number
    }

    @Test("Each result of a run has its exit code")
    func summaries() {
        #expect(code { $0.done = 3 } == 0)
        #expect(code { $0.stop = .failing("31 of 100") } == 4)
        #expect(code { $0.kept = 3 } == 0)
        #expect(code { $0.skipped = 3 } == 0)
        #expect(code { $0.failed = 1 } == 3)
        #expect(code { $0.failedPages = 1 } == 3)
        let unreadable = code {
            $0.pages = 0
            $0.failedPages = 1
        }
        #expect(unreadable == 4)
        #expect(code { $0.causes = [.internal: 1] } == 1)
        #expect(code { $0.stop = .local(Failure(.disk, "")) } == 5)
        #expect(code { $0.stop = .damaged(Failure(.disk, "")) } == 7)
        #expect(code { $0.stop = .limit("--max-time") } == 8)
        #expect(code { $0.stop = .signal(2) } == 130)
        #expect(code { $0.stop = .signal(15) } == 143)
        #expect(code { $0.stop = .signal(1) } == 129)
    }

    @Test(
        "Each error before a run has its exit code",
        arguments: [(MirrorError.Code.usage, 2), (.feed, 4), (.local, 5), (.locked, 6), (.damaged, 7)]
            as [(MirrorError.Code, Int32)])
    func errors(_ code: MirrorError.Code, number: Int32) {
        #expect(ExitCode(code).number == number)
    }
}

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
