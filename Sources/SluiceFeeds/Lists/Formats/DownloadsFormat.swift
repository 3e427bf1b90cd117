// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An input file of aria2: a line with the addresses of one photo, separated by tabs, and indented lines with options.
///
/// The first address and the checksum are read.
struct DownloadsFormat: ListFormat {
    /// The photo whose options follow.
    private var waiting: Photo?
    private(set) var note: String?

    /// Whether the second line that is not empty is an option of a download.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") })
        let content = lines.lazy.filter { $0.first != UInt8(ascii: "#") && !$0.allSatisfy(\.isSpace) }
        return content.dropFirst().first.map { option(in: $0) != nil } ?? false
    }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            let bytes = buffer.window[line.range]
            if let option = Self.option(in: bytes) {
                apply(option)
                continue
            }
            guard let first = bytes.first(where: { !$0.isSpace }), first != UInt8(ascii: "#") else {
                continue
            }
            let photo =
                line.isTooLong
                ? ListRecord.invalid(line: line.number, ListBuffer.tooLong) : Self.photo(bytes, line: line.number)
            let complete = waiting
            waiting = photo
            if let complete { return complete }
        }
        defer { waiting = nil }
        return waiting
    }

    private static func photo(_ line: ArraySlice<UInt8>, line number: Int) -> Photo {
        let address = line.split(separator: UInt8(ascii: "\t")).first ?? []
        let text = ListText(address).text.trimmed
        guard let problem = ListAddress.problem(with: Array(text.utf8)) else { return ListRecord.photo(at: text) }
        return ListRecord.invalid(line: number, "\(problem): \(text.truncated(to: 80))")
    }

    private mutating func apply(_ option: (name: String, value: String)) {
        guard option.name == "checksum" else {
            note = "the options of downloads are ignored, except checksums"
            return
        }
        // The value is an algorithm, such as `sha-256`, and digits.
        guard waiting?.variants.isEmpty == false,
            let checksum = option.value.split(separator: "=").last.flatMap({ Checksum(digits: String($0)) })
        else { return }
        waiting?.variants[0].checksum = checksum
    }

    /// Returns the option in a line that begins with white space; `nil` for another line.
    private static func option(in line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let first = line.first, first.isSpace else { return nil }
        let parts = ListText(line).text.trimmed.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0 == "-" }) else { return nil }
        return (parts[0].lowercased(), String(parts[1]))
    }
}
