// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceModel
import Testing

@testable import SluiceCLI

/// The display on a pseudo terminal.
@Suite("Terminal", .enabled(if: FileManager.default.fileExists(atPath: "/dev/pts")), .timeLimit(.minutes(10)))
struct TerminalTests {
    /// A pseudo terminal with a given width.
    ///
    /// Text written to `output` can be read from `reader`.
    private struct PseudoTerminal {
        let output: Output
        let reader: FileHandle
        private let writer: FileHandle

        init(columns: UInt16) throws {
            let main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
            try #require(main >= 0)
            // The equivalent of unlockpt and ptsname, which Swift does not import on Linux.
            var isLocked: Int32 = 0
            var number: Int32 = 0
            let isOpen = unsafe ioctl(main, 0x4004_5431, &isLocked) == 0 && ioctl(main, 0x8004_5430, &number) == 0
            try #require(isOpen)
            let end = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(end >= 0)
            var size: [UInt16] = [24, columns, 0, 0]
            let isSized = unsafe ioctl(end, UInt(TIOCSWINSZ), &size) == 0
            try #require(isSized)
            reader = FileHandle(fileDescriptor: main, closeOnDealloc: true)
            writer = FileHandle(fileDescriptor: end, closeOnDealloc: true)
            output = Output(descriptor: end)
        }

        /// Reads until the output contains `end`: a terminal may return a single write in several pieces.
        func text(upTo end: String) -> String {
            var text = ""
            while !text.contains(end) {
                // The wait is bounded, so that missing output fails the test.
                var state = pollfd(fd: reader.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&state, 1, 60_000) > 0 else { break }
                let data = reader.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
    }

    private func console(_ output: Output, canRedraw: Bool = true) -> Console {
        let environment = Environment(forbidsColor: false, canRedraw: canRedraw, isUnicode: true)
        return Console(arguments: .success([]), out: Pipe().output, err: output, environment: environment)
    }

    @Test("A live display hides the cursor, stays within the width, and restores the terminal")
    func live() throws {
        let terminal = try PseudoTerminal(columns: 50)
        let display = Display(
            on: console(terminal.output), isQuiet: false, isJSON: false,
            progress: RunProgress(limits: RunProgress.Limits(pages: 2)))
        for event in Samples.events { display.record(event) }
        display.end()
        let text = terminal.text(upTo: "\u{1B}[?25h")
        #expect(text.hasPrefix("\u{1B}[?25l\r"))
        #expect(text.hasSuffix("\u{1B}[J\u{1B}[?25h"))
        #expect(!text.contains("\u{1B}[2J"), "clearing the screen would flicker")
        #expect(text.contains("failed:") && text.contains("3 of 6 photos"))
        for line in text.replacing("\r", with: "\n").split(separator: "\n") where line.contains("━") {
            #expect(columnCount(String(line.prefix { $0 != "\u{1B}" })) < 50)
        }
    }

    @Test("A terminal that cannot move its cursor receives plain lines without escape sequences")
    func dumb() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let display = Display(
            on: console(terminal.output, canRedraw: false), isQuiet: false, isJSON: false, progress: RunProgress())
        for event in Samples.events { display.record(event) }
        display.end()
        let text = terminal.text(upTo: "page 1: 3 photos")
        #expect(!text.contains("\u{1B}"))
    }

    @Test("Each frame shows the current bottleneck")
    func bottleneck() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let display = Display(
            on: console(terminal.output), isQuiet: false, isJSON: false, progress: RunProgress(),
            bottleneck: { .decode })
        for event in Samples.events { display.record(event) }
        let text = terminal.text(upTo: "limited by: decode")
        #expect(text.contains("limited by: decode"))
        display.end()
    }

    @Test("--verbose prints each photo, unless --quiet is set", arguments: [true, false])
    func verbose(isQuiet: Bool) throws {
        let pipe = Pipe()
        let display = Display(
            on: console(pipe.output), isQuiet: isQuiet, isVerbose: true, isJSON: false, progress: RunProgress())
        for event in Samples.events { display.record(event) }
        display.end()
        #expect(try pipe.text().contains("done: photo 1 (p1)") == !isQuiet)
    }

    @Test("A blocked terminal delays no event")
    func stopped() throws {
        let pipe = Pipe()
        let display = Display(on: console(pipe.output), isQuiet: false, isJSON: false, progress: RunProgress())
        // Far more than the capacity of a pipe, without a reader.
        for number in 0..<50_000 { display.record(.note("note \(number)")) }
        let reading = Thread { try? pipe.drain() }
        reading.start()
        display.end()
        try pipe.closeWriter()
    }

    @Test("Long help goes through the user's pager on a terminal")
    func pager() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sluice-pager-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = try PseudoTerminal(columns: 80)
        var environment = Environment(canRedraw: true, pager: "cat > '\(file.path)'")
        Console(arguments: .success([]), out: terminal.output, err: Pipe().output, environment: environment)
            .printHelp(of: .verify, .long)
        #expect(try String(contentsOf: file, encoding: .utf8) == helpText(of: .verify, .long))
        environment.pager = "cat >/dev/null; exit 127"
        let console = Console(
            arguments: .success([]), out: terminal.output, err: Pipe().output, environment: environment)
        console.printHelp(of: .gallery, .short)
        #expect(terminal.text(upTo: "-V, --version").contains("Rebuild the gallery and manifest"))
        console.printHelp(of: .doctor, .long)
        #expect(terminal.text(upTo: "Examples:").contains("a plausible clock"), "without a pager it is printed")
    }

    @Test("A terminal has a width, a pipe has none")
    func columns() throws {
        let terminal = try PseudoTerminal(columns: 123)
        #expect(terminal.output.columns == 123 && terminal.output.isTerminal)
        #expect(Pipe().output.columns == nil && !Pipe().output.isTerminal)
    }

    @Test(
        "Colour depends on --color, the terminal and NO_COLOR",
        arguments: [
            (ColorChoice.auto, false, true, true), (.auto, true, true, false), (.auto, false, false, false),
            (.always, true, false, true), (.never, false, true, false),
        ])
    func color(_ choice: ColorChoice, noColor: Bool, isTerminal: Bool, isColored: Bool) throws {
        let terminal = try PseudoTerminal(columns: 80)
        let output = isTerminal ? terminal.output : Pipe().output
        let environment = Environment(forbidsColor: noColor, canRedraw: true, isUnicode: true)
        #expect(Style(choice, on: output, environment).isColored == isColored)
    }
}
