// SPDX-License-Identifier: MIT

import Sluice
import SluiceModel
import Testing

@testable import SluiceCLI

@Suite("Display", .timeLimit(.minutes(10))) struct DisplayTests {
    private let plain = Style()

    @Test("Before the first page the display names the feed that it waits for")
    func waiting() {
        let frame = ProgressFrame(Samples.progress(until: 2), at: .seconds(1))
        #expect(frame.lines(columns: 80, style: plain) == ["waiting for page 1"])
    }

    @Test("A frame shows the progress, the throughput and the oldest photos")
    func frame() {
        let lines = ProgressFrame(Samples.progress(), at: .seconds(11)).lines(columns: 80, style: plain)
        #expect(
            lines == [
                "━━━━━━━━━━━━────────────  3 of 6 photos · page 2 of 2 · 11 s elapsed · 11 s left",
                "2 done · 1 failed · 1 retry · 0.2 photos/s · 200 kB, 18.2 kB/s",
            ])
        let early = ProgressFrame(Samples.progress(until: 10), at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(early.count == 3 && early[2] == "  photo 2 (p2) · 5 s")
    }

    @Test("A narrow terminal shows the same numbers on more lines")
    func narrow() {
        let lines = ProgressFrame(Samples.progress(), at: .seconds(11)).lines(columns: 40, style: plain)
        #expect(
            lines == [
                "3 of 6 photos · page 2 of 2", "11 s elapsed · 11 s left", "2 done · 1 failed · 1 retry",
                "0.2 photos/s · 200 kB, 18.2 kB/s",
            ])
    }

    @Test("No more items are in flight than the run allows: the others wait to be committed")
    func committing() {
        var progress = RunProgress()
        progress.record(.runStarted(RunStart(source: "a", feed: "a", folder: "a", width: 4)), at: .zero)
        for seq in 1...8 { progress.record(.itemStarted(Samples.item(seq)), at: .zero) }
        #expect(progress.inFlightCount == 4)
        progress.record(.concurrencyChanged(6, reason: "doubling"), at: .zero)
        #expect(progress.inFlightCount == 6)
    }

    @Test("The oldest transfers are shown with their progress")
    func transfers() {
        var progress = Samples.progress(until: 4)
        progress.record(.itemProgressed(Samples.item(1), bytes: 3_100_000, total: 12_000_000), at: .seconds(4))
        let known = ProgressFrame(progress, at: .seconds(11)).lines(columns: 80, style: plain)
        #expect(
            known.contains("1 in flight · 3.1 MB") && known.last == "  photo 1 (p1) · 3.1 MB of 12.0 MB · 8 s",
            "\(known)")
        progress.record(.itemProgressed(Samples.item(1), bytes: 4_000_000, total: nil), at: .seconds(5))
        let unknown = ProgressFrame(progress, at: .seconds(11)).lines(columns: 80, style: plain)
        #expect(unknown.last == "  photo 1 (p1) · 4.0 MB · 8 s")
    }

    @Test("A frame shows the bottleneck, paused hosts and the oldest photos in flight")
    func bottlenecks() {
        var progress = Samples.progress(until: 2)
        progress.record(.pageLoaded(number: 1, photos: 30, total: nil), at: .seconds(1))
        for seq in 1...5 { progress.record(.itemStarted(Samples.item(seq, id: "p\(seq)")), at: .seconds(seq)) }
        progress.bottleneck = .hosts
        progress.record(.hostPaused("a.test", .seconds(30), Failure(.httpTooManyRequests, "")), at: .seconds(2))
        let one = ProgressFrame(progress, at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(
            one.suffix(4) == [
                "limited by: host limits · a.test paused, 23 s left", "  photo 1 (p1) · 8 s", "  photo 2 (p2) · 7 s",
                "  photo 3 (p3) · 6 s",
            ])
        progress.record(.hostPaused("b.test", .seconds(5), Failure(.httpTooManyRequests, "")), at: .seconds(8))
        let two = ProgressFrame(progress, at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(two.contains("limited by: host limits · 2 hosts paused"))
        // Pauses that are over and hosts that were given up are not shown.
        progress.record(.hostGivenUp("a.test", Failure(.timeout, "")), at: .seconds(20))
        progress.bottleneck = nil
        let none = ProgressFrame(progress, at: .seconds(20)).lines(columns: 80, style: plain)
        #expect(none.allSatisfy { !$0.contains("paused") && !$0.contains("limited") })
    }

    @Test("The number of stored pauses is bounded")
    func manyPauses() {
        var progress = RunProgress()
        for number in 0..<10_000 {
            let failure = Failure(.httpTooManyRequests, "")
            progress.record(.hostPaused("h\(number).test", .seconds(1), failure), at: .seconds(number))
        }
        #expect(progress.paused.count <= 64)
    }

    @Test("Photos that a stop cancelled count neither as ended nor as skipped")
    func interrupted() {
        var progress = Samples.progress(until: 7)
        progress.record(.stopping(.signal(2)), at: .seconds(8))
        for seq in 2...3 {
            let receipt = Receipt(.skipped, failure: Failure(.cancelled, ""))
            progress.record(.itemEnded(Samples.item(seq), .skipped(receipt)), at: .seconds(9))
        }
        let words = ProgressFrame(progress, at: .seconds(10)).lines(columns: 100, style: Style()).joined(
            separator: "\n")
        #expect(words.contains("1 of 6 photos") && !words.contains("skipped"), "\(words)")
    }

    @Test("The display of thumbs shows neither pages nor transfer rates")
    func thumbs() {
        var progress = RunProgress(purpose: .thumbs)
        #expect(ProgressFrame(progress, at: .zero).lines(columns: 80, style: plain) == ["searching the folders"])
        for (second, event) in Samples.events.prefix(7).enumerated() { progress.record(event, at: .seconds(second)) }
        let text = ProgressFrame(progress, at: .seconds(7)).phrases.map(\.text).joined(separator: " ")
        #expect(text.hasPrefix("1 of 300 photos 1 done") && text.hasSuffix("left"), "\(text)")
        #expect(!text.contains("page") && !text.contains("B/s"), "\(text)")
        #expect(LogLine(.pageLoaded(number: 1, photos: 3, total: 3), style: plain, purpose: .thumbs) == nil)
    }

    @Test("Without a UTF-8 locale the frame is ASCII")
    func ascii() {
        let style = Style(isUnicode: false)
        for line in ProgressFrame(Samples.progress(), at: .seconds(11)).lines(columns: 80, style: style) {
            #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        }
    }

    @Test("No line is wider than the terminal", arguments: [1, 5, 20, 39, 40, 60, 79, 200])
    func widths(_ columns: Int) {
        var progress = Samples.progress(until: 6)
        progress.record(.itemStarted(Samples.item(4, id: "日本\u{1B}[2J" + String(repeating: "x", count: 90))), at: .zero)
        for style in [plain, Style(isColored: true), Style(isUnicode: false)] {
            for line in ProgressFrame(progress, at: .seconds(60)).lines(columns: columns, style: style) {
                #expect(columnCount(withoutColors(line)) <= columns, "\(line)")
            }
        }
    }

    @Test(
        "The expected number of photos follows from the limits and from the feed",
        arguments: [
            (nil, nil, 300, 300), (2, nil, 300, 6), (2, nil, nil, 6), (nil, 5, 300, 5), (nil, nil, nil, nil),
            (.max, nil, nil, nil), (9, 4, 300, 4), (nil, nil, -7, 0), (nil, nil, .max, .max),
        ] as [(Int?, Int?, Int?, Int?)])
    func expectation(_ pages: Int?, _ items: Int?, _ total: Int?, expected: Int?) {
        var progress = RunProgress(limits: RunProgress.Limits(pages: pages, items: items))
        #expect(progress.expected == nil)
        progress.record(.pageLoaded(number: 1, photos: 3, total: total), at: .zero)
        #expect(progress.expected == expected)
        _ = ProgressFrame(progress, at: .seconds(60)).lines(columns: 80, style: plain)
    }

    @Test("The share of a list that has been read gives an estimate, and its end the exact number")
    func estimate() {
        var progress = RunProgress()
        progress.record(.pageLoaded(number: 1, photos: 1000, total: nil), at: .zero)
        #expect(progress.estimated == nil)
        progress.record(.sourceRead(share: 0.081), at: .zero)
        #expect((progress.expected, progress.estimated) == (nil, 12_000))
        progress.record(.itemEnded(Samples.item(1), Samples.done()), at: .seconds(1))
        let lines = ProgressFrame(progress, at: .seconds(10)).lines(columns: 80, style: plain)
        #expect(lines[0].contains("1 of about 12000 photos") && lines[0].hasSuffix("left"), "\(lines)")
        progress.record(.pageLoaded(number: 2, photos: 17, total: nil), at: .seconds(11))
        progress.record(.sourceRead(share: 1), at: .seconds(11))
        #expect(progress.expected == 1017)
    }

    @Test("After a failed page only the listed photos are expected")
    func brokenWalk() {
        var progress = Samples.progress()
        progress.record(.pageFailed(number: 3, Failure(.timeout, "")), at: .seconds(12))
        #expect(progress.expected == 6)
    }

    @Test("Throughput covers the last ten seconds")
    func throughput() {
        var throughput = Throughput()
        for second in 1...100 {
            throughput.record(
                Throughput.Snapshot(time: .seconds(second), ended: second * 2, done: second, bytes: second * 1000))
        }
        let speed = throughput.perSecond(at: .seconds(100))
        #expect(abs(speed.ended - 2) < 0.01 && abs(speed.done - 1) < 0.01 && abs(speed.bytes - 1000) < 10)
        #expect(throughput.perSecond(at: .seconds(120)).ended == 0)
    }

    @Test("A live frame overwrites the previous one, with log lines above and the cursor hidden")
    func live() {
        var renderer = LiveRenderer(style: plain)
        let first = renderer.render([], Samples.progress(until: 3), at: .seconds(2), columns: 80)
        #expect(first.hasPrefix("\u{1B}[?25l\r━") || first.hasPrefix("\u{1B}[?25l\r─"))
        #expect(
            renderer.render([], Samples.progress(until: 3), at: .seconds(2), columns: 80).isEmpty, "nothing changed")
        let logLine = LogLine(.warning, "failed: photo 3")
        let second = renderer.render([logLine], Samples.progress(), at: .seconds(11), columns: 80)
        #expect(second.hasPrefix("\rfailed: photo 3\u{1B}[K\r\n"))
        #expect(!second.contains("\u{1B}[2J") && !second.contains("\u{1B}[?25l"))
        let third = renderer.render([], Samples.progress(), at: .seconds(12), columns: 80)
        #expect(third.hasPrefix("\r\u{1B}[1A"), "the previous frame had two lines")
        #expect(renderer.restore() == "\r\u{1B}[1A\u{1B}[J\u{1B}[?25h")
        #expect(renderer.restore().isEmpty)
    }

    @Test("After a terminal became narrower, the next frame starts above all wrapped lines")
    func narrower() {
        var renderer = LiveRenderer(style: plain)
        _ = renderer.render([], Samples.progress(), at: .seconds(11), columns: 80)
        let next = renderer.render([], Samples.progress(), at: .seconds(11), columns: 30)
        // 67 and 72 columns are three rows each at 30.
        #expect(next.hasPrefix("\r\u{1B}[5A"))
    }

    @Test("Plain lines contain no escape sequences and show the progress at intervals")
    func plainLines() {
        var renderer = PlainRenderer(style: plain)
        let logLines = Samples.events.compactMap { LogLine($0, style: plain) }
        let text = renderer.render(logLines, Samples.progress(), at: .seconds(4), columns: 80)
        #expect(
            text == """
                mirroring demo into demo-mirror
                page 1: 3 photos (the feed has 300)
                failed: photo 3 (p3): http-404: Not Found
                page 2: 3 photos (the feed has 300)

                """)
        let later = renderer.render([], Samples.progress(), at: .seconds(11), columns: 80)
        #expect(later.hasPrefix("3 of 6 photos, page 2 of 2, 2 done, 1 failed") && later.hasSuffix("\n"))
        #expect(renderer.render([], Samples.progress(), at: .seconds(30), columns: 80).isEmpty, "nothing new")
    }

    @Test("--quiet shows only essential lines")
    func quiet() {
        var renderer = QuietRenderer()
        let events: [Event] = Samples.events + [.stopping(.local(Failure(.disk, "No space left on device")))]
        let logLines = events.compactMap { LogLine($0, style: plain) }
        let text = renderer.render(logLines, Samples.progress(), at: .seconds(11), columns: 80)
        #expect(text == "stopping: No space left on device\n")
    }

    @Test("--verbose shows each photo and each attempt, which are hidden otherwise")
    func verbose() {
        let receipt = Receipt(.skipped, failure: Failure(.policy, "smaller than \u{1B}wanted"))
        let events: [Event] = [
            .itemEnded(Samples.item(1), Samples.done()), .itemEnded(Samples.item(2), .kept(Receipt(.done))),
            .itemEnded(Samples.item(3), .skipped(receipt)),
            .itemRetried(Samples.item(4), attempt: 1, Failure(.timeout, "30 s"), delay: .seconds(2)),
            .concurrencyChanged(32, reason: "doubling"),
        ]
        #expect(events.allSatisfy { LogLine($0, style: plain) == nil })
        let logLines = events.compactMap { LogLine(detailOf: $0) }
        #expect(
            logLines.map(\.text) == [
                "done: photo 1 (p1): originals/p1.jpg, 100 kB", "kept: photo 2 (p2)",
                "skipped: photo 3 (p3): policy: smaller than \(escaped("\u{1B}"))wanted",
                "attempt 1 of photo 4 (p4): timeout: 30 s; retrying in 2.0 s", "concurrency is now 32",
            ])
        var (normal, verbose) = (LiveRenderer(style: plain), LiveRenderer(style: plain, minimum: .detail))
        let progress = Samples.progress()
        #expect(!normal.render(logLines, progress, at: .seconds(1), columns: 80).contains("kept: photo 2"))
        #expect(verbose.render(logLines, progress, at: .seconds(1), columns: 80).contains("kept: photo 2"))
    }

    @Test("Text from servers is escaped")
    func foreignText() {
        let evil = "\u{1B}]0;owned\u{7}\u{202E}\n"
        let item = Samples.item(1, id: evil)
        var failure = Failure(.redirectScheme, evil)
        failure.finalURL = evil
        let events: [Event] = [
            .itemEnded(item, .failed(Receipt(.failed, failure: failure))), .pageFailed(number: 1, failure), .note(evil),
            .stopping(.limit(evil)), .stopping(.failing(evil)), .stopping(.local(failure)),
            .hostGivenUp(evil, failure),
            .runStarted(RunStart(source: evil, feed: evil, folder: evil, width: 1)),
        ]
        for event in events {
            let text = LogLine(event, style: plain)?.text ?? ""
            #expect(!text.isEmpty && text == escaped(text, columns: 5000), "\(event)")
        }
    }

    @Test("Colours appear only if enabled")
    func colors() {
        let event = Event.itemEnded(Samples.item(1), Samples.failed(.timeout))
        #expect(LogLine(event, style: Style(isColored: true))?.text.hasPrefix("\u{1B}[31mfailed:\u{1B}[0m ") == true)
        #expect(LogLine(event, style: plain)?.text == "failed: photo 1 (p1): timeout")
        let salvaged = Event.itemEnded(Samples.item(1), Samples.salvaged(.truncated, "no end"))
        #expect(LogLine(salvaged, style: plain) == LogLine(.warning, "incomplete: photo 1 (p1): truncated: no end"))
        let damaged = Event.itemEnded(Samples.item(1), Samples.salvaged(.corrupt, "bad"))
        #expect(LogLine(damaged, style: plain) == LogLine(.warning, "salvaged: photo 1 (p1): corrupt: bad"))
        let noted = Event.itemNoted(Samples.item(1), "EXIF ignored: \u{1B}")
        #expect(LogLine(noted, style: plain) == LogLine(.info, "note: photo 1 (p1): EXIF ignored: \\u{1b}"))
    }

    @Test(
        "Amounts",
        arguments: [
            (byteText(0), "0 bytes"), (byteText(1), "1 byte"), (byteText(999), "999 bytes"), (byteText(1000), "1.0 kB"),
            (byteText(999_999), "1.0 MB"), (byteText(11_900_000), "11.9 MB"), (byteText(.max), "9223 PB"),
            (timeText(.milliseconds(234)), "0.2 s"), (timeText(.seconds(42)), "42 s"),
            (timeText(.milliseconds(5400), isWhole: true), "5 s"),
            (timeText(.seconds(185)), "3 min 5 s"), (timeText(.seconds(7800)), "2 h 10 min"), (decimal(.infinity), "0"),
        ])
    func amounts(_ text: String, expected: String) {
        #expect(text == expected)
    }
}
