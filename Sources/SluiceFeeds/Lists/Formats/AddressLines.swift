// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One address a line, whatever is in it: commas and spaces do not end it.
///
/// Empty lines and those that begin with `#` are passed over; so is what `gallery-dl -g` writes behind a bar, which is
/// another address of the photo before it.
struct AddressLines: ListFormat {
    mutating func next(from bytes: inout ListBytes) throws(Failure) -> Photo? {
        while let line = try bytes.nextLine() {
            guard !line.isTooLong else { return ListRecord.flawed(line: line.number, "longer than a line may be") }
            let text = trimmed(bytes.window[line.range])
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "|") else { continue }
            if let problem = ListAddress.problem(with: text) {
                let excerpt = String(decoding: text.prefix(80), as: UTF8.self)
                return ListRecord.flawed(line: line.number, "\(problem): \(excerpt)")
            }
            guard let url = String(validating: text, as: UTF8.self) else {
                return ListRecord.flawed(line: line.number, "not UTF-8")
            }
            return ListRecord.photo(at: url)
        }
        return nil
    }

    private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = line.drop { ListFormats.isSpace($0) }
        guard let last = front.lastIndex(where: { !ListFormats.isSpace($0) }) else { return [] }
        return front[...last]
    }
}
