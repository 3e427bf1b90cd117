// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One JSON value a line: an object, an address in quotes, or one of gallery-dl's messages.
struct JSONLines: ListFormat {
    let options: ListOptions

    mutating func next(from bytes: inout ListBytes) throws(Failure) -> Photo? {
        while let line = try bytes.nextLine() {
            guard !line.isTooLong else { return ListRecord.flawed(line: line.number, "longer than a line may be") }
            let text = bytes.window[line.range]
            if text.allSatisfy(ListFormats.isSpace) { continue }
            if let photo = ListElement.photo(of: Array(text), line: line.number, options: options) { return photo }
        }
        return nil
    }
}
