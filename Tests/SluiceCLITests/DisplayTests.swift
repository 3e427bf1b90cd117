// SPDX-License-Identifier: MIT

import Sluice
import Testing

@testable import SluiceCLI

@Suite("Display") struct DisplayTests {
    private let plain = Style()

    @Test("Before the first page the display says what it waits for")
    func waiting() {
        let frame = Frame(Samples.progress(until: 2), at: .seconds(1))
        #expect(frame.lines(columns: 80, style: plain) == ["waiting for page 1"])
    }

    @Test("A frame shows how far the run is, how fast, and what hangs")
    func frame() {
        let lines = Frame(Samples.progress(), at: .seconds(11)).lines(columns: 80, style: plain)
        #expect(
            lines == [
                "━━━━━━━━━━━━━━━━━━━━────────────────────  3 of 6 photos · page 2 of 2",
                "2 done · 1 failed · 1 tried again · 0.2 photos/s · 18.2 kB/s · 11 s left",
            ])
        let early = Frame(Samples.progress(until: 10), at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(early.count == 3 && early[2] == "oldest: photo 2 (p2), 5 s")
    }

    @Test("A frame says what limits the run, which hosts are paused, and names the oldest photos under way")
    func holdUps() {
        var progress = Samples.progress(until: 2)
        progress.record(.pageLoaded(number: 1, photos: 30, total: nil), at: .seconds(1))
        for seq in 1...5 { progress.record(.itemStarted(Samples.item(seq, id: "p\(seq)")), at: .seconds(seq)) }
        progress.bottleneck = .hosts
        progress.record(.hostPaused("a.test", .seconds(30), Failure(.httpTooManyRequests, "")), at: .seconds(2))
        let one = Frame(progress, at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(
            one.suffix(2) == [
                "limited by: host limits · a.test paused, 23 s left",
                "oldest: photo 1 (p1), 8 s · photo 2 (p2), 7 s · photo 3 (p3), 6 s",
            ])
        progress.record(.hostPaused("b.test", .seconds(5), Failure(.httpTooManyRequests, "")), at: .seconds(8))
        let two = Frame(progress, at: .seconds(9)).lines(columns: 80, style: plain)
        #expect(two.contains("limited by: host limits · 2 hosts paused"))
        // A pause that is over is nobody's news, and nor is a host that is never asked again.
        progress.record(.hostGivenUp("a.test", Failure(.timeout, "")), at: .seconds(20))
        progress.bottleneck = nil
        let none = Frame(progress, at: .seconds(20)).lines(columns: 80, style: plain)
        #expect(none.allSatisfy { !$0.contains("paused") && !$0.contains("limited") })
    }

    @Test("A million hosts that were paused once cost no memory")
    func manyPauses() {
        var progress = RunProgress()
        for number in 0..<10_000 {
            let failure = Failure(.httpTooManyRequests, "")
            progress.record(.hostPaused("h\(number).test", .seconds(1), failure), at: .seconds(number))
        }
        #expect(progress.paused.count <= 64)
    }

    @Test("What a stop leaves for the next run is neither ended nor skipped")
    func interrupted() {
        var progress = Samples.progress(until: 7)
        progress.record(.stopping(.signal(2)), at: .seconds(8))
        for seq in 2...3 {
            let receipt = Receipt(.skipped, failure: Failure(.cancelled, ""))
            progress.record(.itemEnded(Samples.item(seq), .skipped(receipt)), at: .seconds(9))
        }
        let words = Frame(progress, at: .seconds(10)).lines(columns: 100, style: Style()).joined(separator: "\n")
        #expect(words.contains("1 of 6 photos") && !words.contains("skipped"), "\(words)")
    }

    @Test("Thumbnails of files show neither pages nor transfers")
    func thumbs() {
        var progress = RunProgress(errand: .thumbs)
        #expect(Frame(progress, at: .zero).lines(columns: 80, style: plain) == ["looking through the folders"])
        for (second, event) in Samples.events.prefix(7).enumerated() { progress.record(event, at: .seconds(second)) }
        let text = Frame(progress, at: .seconds(7)).parts.map(\.text).joined(separator: " ")
        #expect(text.hasPrefix("1 of 300 photos 1 done") && text.hasSuffix("left"), "\(text)")
        #expect(!text.contains("page") && !text.contains("B/s"), "\(text)")
        #expect(News(.pageLoaded(number: 1, photos: 3, total: 3), style: plain, errand: .thumbs) == nil)
    }

    @Test("Without a UTF-8 locale the frame is ASCII")
    func ascii() {
        let style = Style(isUnicode: false)
        for line in Frame(Samples.progress(), at: .seconds(11)).lines(columns: 80, style: style) {
            #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        }
    }

    @Test("No line is wider than the terminal", arguments: [1, 5, 20, 39, 40, 60, 79, 200])
    func widths(_ columns: Int) {
        var progress = Samples.progress(until: 6)
        progress.record(.itemStarted(Samples.item(4, id: "日本\u{1B}[2J" + String(repeating: "x", count: 90))), at: .zero)
        for style in [plain, Style(isColored: true), Style(isUnicode: false)] {
            for line in Frame(progress, at: .seconds(60)).lines(columns: columns, style: style) {
                #expect(columnCount(withoutColors(line)) <= columns, "\(line)")
            }
        }
    }

    @Test(
        "How many photos there will be follows from the goals and from what the feed says",
        arguments: [
            (nil, nil, 300, 300), (2, nil, 300, 6), (2, nil, nil, 6), (nil, 5, 300, 5), (nil, nil, nil, nil),
            (.max, nil, nil, nil), (9, 4, 300, 4), (nil, nil, -7, 0), (nil, nil, .max, .max),
        ] as [(Int?, Int?, Int?, Int?)])
    func expectation(_ pages: Int?, _ items: Int?, _ total: Int?, expected: Int?) {
        var progress = RunProgress(goals: RunProgress.Goals(pages: pages, items: items))
        #expect(progress.expected == nil)
        progress.record(.pageLoaded(number: 1, photos: 3, total: total), at: .zero)
        #expect(progress.expected == expected)
        _ = Frame(progress, at: .seconds(60)).lines(columns: 80, style: plain)
    }

    @Test("After a page that could not be had no more is expected than what was listed")
    func brokenWalk() {
        var progress = Samples.progress()
        progress.record(.pageFailed(number: 3, Failure(.timeout, "")), at: .seconds(12))
        #expect(progress.expected == 6)
    }

    @Test("Speeds are those of the last ten seconds")
    func rate() {
        var rate = Rate()
        for second in 1...100 {
            rate.record(Rate.Sample(at: .seconds(second), ended: second * 2, done: second, bytes: second * 1000))
        }
        let speed = rate.perSecond(at: .seconds(100))
        #expect(abs(speed.ended - 2) < 0.01 && abs(speed.done - 1) < 0.01 && abs(speed.bytes - 1000) < 10)
        #expect(rate.perSecond(at: .seconds(120)).ended == 0)
    }

    @Test("A live frame is one piece of text: over the last one, news above, the cursor hidden")
    func live() {
        var painter = LivePainter(style: plain)
        let first = painter.paint([], Samples.progress(until: 3), at: .seconds(2), columns: 80)
        #expect(first.hasPrefix("\u{1B}[?25l\r━") || first.hasPrefix("\u{1B}[?25l\r─"))
        #expect(painter.paint([], Samples.progress(until: 3), at: .seconds(2), columns: 80).isEmpty, "nothing changed")
        let news = News(.item, "failed: photo 3")
        let second = painter.paint([news], Samples.progress(), at: .seconds(11), columns: 80)
        #expect(second.hasPrefix("\rfailed: photo 3\u{1B}[K\r\n"))
        #expect(!second.contains("\u{1B}[2J") && !second.contains("\u{1B}[?25l"))
        let third = painter.paint([], Samples.progress(), at: .seconds(12), columns: 80)
        #expect(third.hasPrefix("\r\u{1B}[1A"), "two lines stood there")
        #expect(painter.leave() == "\r\u{1B}[1A\u{1B}[J\u{1B}[?25h")
        #expect(painter.leave().isEmpty)
    }

    @Test("A terminal that became narrower has broken the lines, and the next frame begins above all of them")
    func narrower() {
        var painter = LivePainter(style: plain)
        _ = painter.paint([], Samples.progress(), at: .seconds(11), columns: 80)
        let next = painter.paint([], Samples.progress(), at: .seconds(11), columns: 30)
        // 67 and 72 columns are three rows each at 30.
        #expect(next.hasPrefix("\r\u{1B}[5A"))
    }

    @Test("Plain lines hold no escape sequence and tell now and then how far the run is")
    func plainLines() {
        var painter = PlainPainter(style: plain)
        let news = Samples.events.compactMap { News($0, style: plain) }
        let text = painter.paint(news, Samples.progress(), at: .seconds(4), columns: 80)
        #expect(
            text == """
                mirroring demo into demo-mirror
                page 1: 3 photos (the feed has 300)
                failed: photo 3 (p3): http-404: Not Found
                page 2: 3 photos (the feed has 300)

                """)
        let later = painter.paint([], Samples.progress(), at: .seconds(11), columns: 80)
        #expect(later.hasPrefix("3 of 6 photos, page 2 of 2, 2 done, 1 failed") && later.hasSuffix("\n"))
        #expect(painter.paint([], Samples.progress(), at: .seconds(30), columns: 80).isEmpty, "nothing new")
    }

    @Test("Quiet tells only what concerns the whole run")
    func quiet() {
        var painter = QuietPainter()
        let events: [Event] = Samples.events + [.stopping(.local(Failure(.disk, "No space left on device")))]
        let news = events.compactMap { News($0, style: plain) }
        let text = painter.paint(news, Samples.progress(), at: .seconds(11), columns: 80)
        #expect(text == "stopping: No space left on device\n")
    }

    @Test("Verbose tells of each photo and each attempt, on a terminal and in a log; else neither does")
    func verbose() {
        let receipt = Receipt(.skipped, failure: Failure(.policy, "smaller than \u{1B}wanted"))
        let events: [Event] = [
            .itemEnded(Samples.item(1), Samples.done()), .itemEnded(Samples.item(2), .kept(Receipt(.done))),
            .itemEnded(Samples.item(3), .skipped(receipt)),
            .itemRetried(Samples.item(4), attempt: 1, Failure(.timeout, "30 s"), delay: .seconds(2)),
            .widthChanged(32, reason: "doubling"),
        ]
        #expect(events.allSatisfy { News($0, style: plain) == nil })
        let news = events.compactMap { News(detailOf: $0) }
        #expect(
            news.map(\.text) == [
                "done: photo 1 (p1): originals/p1.jpg, 100 kB", "kept: photo 2 (p2)",
                "skipped: photo 3 (p3): policy: smaller than \(escaped("\u{1B}"))wanted",
                "attempt 1 of photo 4 (p4): timeout: 30 s; again in 2.0 s", "32 photos at once from now on",
            ])
        var (calm, wordy) = (LivePainter(style: plain), LivePainter(style: plain, least: .detail))
        let progress = Samples.progress()
        #expect(!calm.paint(news, progress, at: .seconds(1), columns: 80).contains("kept: photo 2"))
        #expect(wordy.paint(news, progress, at: .seconds(1), columns: 80).contains("kept: photo 2"))
    }

    @Test("No server's text reaches the terminal as it came")
    func foreignText() {
        let evil = "\u{1B}]0;owned\u{7}\u{202E}\n"
        let item = Samples.item(1, id: evil)
        var failure = Failure(.redirectScheme, evil)
        failure.finalURL = evil
        let events: [Event] = [
            .itemEnded(item, .failed(Receipt(.failed, failure: failure))), .pageFailed(number: 1, failure), .note(evil),
            .stopping(.limit(evil)), .stopping(.failing(evil)), .stopping(.local(failure)),
            .hostPaused(evil, .seconds(42), failure), .hostGivenUp(evil, failure),
            .runStarted(RunStart(source: evil, feed: evil, folder: evil, width: 1)),
        ]
        for event in events {
            let text = News(event, style: plain)?.text ?? ""
            #expect(!text.isEmpty && text == escaped(text, columns: 5000), "\(event)")
        }
    }

    @Test("Colours are there when wanted and else nowhere")
    func colors() {
        let event = Event.itemEnded(Samples.item(1), Samples.failed(.timeout))
        #expect(News(event, style: Style(isColored: true))?.text.hasPrefix("\u{1B}[31mfailed:\u{1B}[0m ") == true)
        #expect(News(event, style: plain)?.text == "failed: photo 1 (p1): timeout")
        let salvaged = Event.itemEnded(Samples.item(1), Samples.salvaged(.truncated, "no end"))
        #expect(News(salvaged, style: plain) == News(.item, "salvaged: photo 1 (p1): truncated: no end"))
        let noted = Event.itemNoted(Samples.item(1), "EXIF ignored: \u{1B}")
        #expect(News(noted, style: plain) == News(.page, "note: photo 1 (p1): EXIF ignored: \\u{1b}"))
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
