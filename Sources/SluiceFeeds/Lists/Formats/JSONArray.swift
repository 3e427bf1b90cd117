// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One JSON array around all, read element by element: objects, addresses in quotes, or what `gallery-dl -j` writes.
struct JSONArray: ListFormat {
    private let options: ListOptions
    private var count = 0

    /// Moves behind the array's bracket.
    init(_ bytes: inout ListBytes, options: ListOptions) throws(Failure) {
        self.options = options
        try bytes.skipSpace()
        bytes.advance(to: bytes.start + 1, lines: 0)
    }

    mutating func next(from bytes: inout ListBytes) throws(Failure) -> Photo? {
        while let element = try bytes.nextElement() {
            count += 1
            if let photo = photo(of: element) { return photo }
        }
        return nil
    }

    private func photo(of element: ListBytes.Element) -> Photo? {
        var photo =
            element.text.map { ListElement.photo(of: $0, line: element.line, options: options) }
            ?? ListRecord.flawed(line: element.line, "longer than an element may be")
        // Many may stand in one line.
        if photo?.flaw != nil { photo?.id = "element \(count)" }
        return photo
    }
}
