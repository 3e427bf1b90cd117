// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// Prints what a dry run finds to standard output: photos as manifest lines, or as rows for people at a terminal, and
/// files with their verdicts.
struct DryRun: Sendable {
    let console: Console
    let isJSON: Bool
    let purpose: RunPurpose

    /// Prints a piece of work; returns false if standard output is closed.
    func print(_ work: PlannedWork) -> Bool {
        if case .file(let file) = work {
            return isJSON
                ? console.out.write(JSONEventWriter.line("file-found") { $0.members(of: file) })
                : console.out.write("\(description(of: file))\n")
        }
        // The verdict on its file was printed.
        guard purpose != .adopt, let line = work.manifestLine else { return true }
        guard console.out.isTerminal, !isJSON else { return console.out.write(line) }
        return console.out.write(
            DryRunRows(style: console.outStyle, columns: console.out.columns ?? 80).text(of: line))
    }
}

/// Shows the manifest lines of a dry run as rows for a terminal: number, name, and address or failure.
struct DryRunRows: Sendable {
    private static let numberWidth = 7
    private static let maximumNameWidth = 32
    private static let addressWidth = 12

    let style: Style
    /// The width of the terminal.
    let columns: Int

    /// Returns a row for each line; scripts get the lines themselves.
    func text(of lines: [UInt8]) -> String {
        lines.split(separator: UInt8(ascii: "\n")).map { row(of: Array($0)) + "\n" }.joined()
    }

    private func row(of line: [UInt8]) -> String {
        guard let photo = try? JSON(parsing: line) else { return String(decoding: line, as: UTF8.self) }
        let number = photo["seq"]?.integer.map(String.init) ?? ""
        let name = shortened(escaped(photo["caption"]?.text ?? photo["id"]?.text ?? "", columns: 1000), to: nameWidth)
        let start = padding(Self.numberWidth - columnCount(number)) + number + "  " + name
        let gap = padding(nameWidth - columnCount(name) + 2)
        let room = max(1, columns - columnCount(start) - columnCount(gap))
        if photo["state"]?.text == Receipt.State.failed.rawValue {
            let detail = photo["detail"]?.text.map { ": \(escaped($0, columns: 1000))" } ?? ""
            return start + gap + style.paint(shortened((photo["cause"]?.text ?? "") + detail, to: room), .red)
        }
        return start + gap + shortened(escaped(photo["url"]?.text ?? "", columns: 1000), to: room)
    }

    private var nameWidth: Int {
        min(Self.maximumNameWidth, max(8, columns - Self.numberWidth - Self.addressWidth - 4))
    }

    /// Returns the text, cut with an ellipsis if it is too long.
    private func shortened(_ text: String, to width: Int) -> String {
        guard columnCount(text) > width else { return text }
        let end = style.isUnicode ? "…" : "..."
        return truncated(text, to: max(0, width - columnCount(end))) + end
    }

    private func padding(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
