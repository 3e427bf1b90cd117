// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A list with an address in each line, or several; an address may contain commas and spaces.
///
/// Skips empty lines and lines that start with `#`. Also skips lines that start with `|`: `gallery-dl -g` writes
/// alternative addresses of the preceding photo that way.
struct AddressLinesFormat: ListFormat {
    private(set) var note: String?

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = trimmed(buffer.window[line.range])
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "|") else { continue }
            guard ListAddress.hasSeparator(text.span) else { return photo(at: text, line.number) }
            let decoded = ListText(text)
            if decoded.isGuessed { note = note ?? ListText.note(line: line.number) }
            let urls = ListAddress.addresses(in: decoded.text)
            more = urls.dropFirst().reversed().map(ListRecord.photo)
            return photo(at: Array(urls[0].utf8)[...], line.number)
        }
        return nil
    }

    /// Returns the photo at the only or the first address of a line.
    private mutating func photo(at text: ArraySlice<UInt8>, _ line: Int) -> Photo {
        if let problem = ListAddress.problem(with: text) {
            let excerpt = String(decoding: text.prefix(80), as: UTF8.self)
            return ListRecord.invalid(line: line, "\(problem): \(excerpt)")
        }
        let url = ListText(text)
        if url.isGuessed { note = note ?? ListText.note(line: line) }
        return ListRecord.photo(at: url.text)
    }

    private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = line.drop { $0.isSpace }
        guard let last = front.lastIndex(where: { !$0.isSpace }) else { return [] }
        return front[...last]
    }
}
