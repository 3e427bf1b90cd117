// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A list with one JSON value per line: an object, an address as a string, or a gallery-dl message.
struct JSONLinesFormat: ListFormat {
    let options: ListOptions
    private var members = MembersWithoutAddress()
    var membersWithoutAddress: [String]? { members.names }

    init(options: ListOptions) { self.options = options }

    mutating func next(from buffer: inout ListBuffer) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = buffer.window[line.range]
            if text.allSatisfy(\.isSpace) { continue }
            guard let photo = JSONRecordParser.photo(of: Array(text), line: line.number, options: options) else {
                continue
            }
            members.add(photo, of: text)
            return photo
        }
        return nil
    }
}

/// A list that is one JSON array of objects, addresses as strings, or messages of `gallery-dl -j`.
///
/// The array is read element by element, so its size does not matter.
struct JSONArrayFormat: ListFormat {
    private let options: ListOptions
    private var count = 0
    private var members = MembersWithoutAddress()
    var membersWithoutAddress: [String]? { members.names }

    /// Skips the array's opening bracket.
    init(_ buffer: inout ListBuffer, options: ListOptions) throws(Failure) {
        self.options = options
        try buffer.skipSpace()
        buffer.advance(to: buffer.start + 1, lines: 0)
    }

    mutating func next(from buffer: inout ListBuffer) throws(Failure) -> Photo? {
        while let element = try buffer.nextElement() {
            count += 1
            guard let photo = photo(of: element) else { continue }
            members.add(photo, of: element.text?[...] ?? [])
            return photo
        }
        return nil
    }

    private func photo(of element: ListBuffer.Element) -> Photo? {
        var photo =
            element.text.map { JSONRecordParser.photo(of: $0, line: element.line, options: options) }
            ?? ListRecord.invalid(line: element.line, ListBuffer.tooLong)
        // A line may hold several elements, so the line number would not be a unique id.
        if photo?.invalidReason != nil { photo?.id = "element \(count)" }
        return photo
    }
}

/// Finds out whether no record of a list has an address.
private struct MembersWithoutAddress {
    /// The names of the first record's members; `nil` if there is none, or if a record has an address.
    private(set) var names: [String]?
    private var isDecided = false

    mutating func add(_ photo: Photo, of text: ArraySlice<UInt8>) {
        guard !isDecided else { return }
        guard photo.invalidReason?.detail.hasSuffix(ListRecord.missingAddress) == true else {
            (names, isDecided) = (nil, true)
            return
        }
        names = names ?? JSONRecordParser.names(in: Array(text))
    }
}
