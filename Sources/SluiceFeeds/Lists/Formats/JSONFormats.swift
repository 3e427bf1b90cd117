// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A list with one JSON value per line: an object, an address as a string, or a gallery-dl message.
struct JSONLinesFormat: ListFormat {
    let options: ListOptions
    let hasRows = true
    private var members = MembersWithoutAddress()
    var membersWithoutAddress: [String]? { members.names }

    init(options: ListOptions) { self.options = options }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = buffer.window[line.range]
            if text.allSatisfy(\.isSpace) { continue }
            let photos = JSONRecordParser.photos(of: Array(text), line: line.number, options: options)
            guard let photo = photos.first else { continue }
            more = photos.dropFirst().reversed()
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
    let hasRows = true
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

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let element = try buffer.nextElement() {
            count += 1
            let photos = photos(of: element)
            guard let photo = photos.first else { continue }
            more = photos.dropFirst().reversed()
            members.add(photo, of: element.text?[...] ?? [])
            return photo
        }
        return nil
    }

    private func photos(of element: ListBuffer.Element) -> [Photo] {
        var photos =
            element.text.map { JSONRecordParser.photos(of: $0, line: element.line, options: options) }
            ?? [ListRecord.invalid(line: element.line, ListBuffer.tooLong)]
        // A line may hold several elements, so the line number would not be a unique id.
        if photos.first?.invalidReason != nil { photos[0].id = "element \(count)" }
        return photos
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

/// A list that is one JSON object with its records somewhere in it, like a saved reply of a service.
struct JSONDocumentFormat: ListFormat {
    private static let maxSize = 64 << 20
    private var photos: ArraySlice<Photo>

    /// Makes the format of a document that has been read.
    init(photos: [Photo]) { self.photos = photos[...] }

    init(_ buffer: inout ListBuffer, options: ListOptions) throws(Failure) {
        let line = buffer.line
        while try buffer.fill() {
            guard buffer.window.count <= Self.maxSize else {
                throw Failure(.feedParse, "one JSON object of more than \(Self.maxSize >> 20) MiB; use JSON Lines")
            }
        }
        let json: JSON
        do throws(InvalidText) { json = try JSON(parsing: Array(buffer.window[buffer.start...])) } catch {
            throw Failure(.feedParse, "\(error.inText(fromLine: line))")
        }
        buffer.advance(to: buffer.window.count, lines: 0)
        photos = JSONRecords.photos(in: json, options: options)[...]
        guard photos.isEmpty else { return }
        throw Failure(
            .feedParse, "the JSON has no records with addresses; its members are \(JSONRecords.names(in: json))",
            hint: .chooseAddressColumn)
    }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        photos.popFirst()
    }
}
