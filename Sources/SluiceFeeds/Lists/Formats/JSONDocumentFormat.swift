// SPDX-License-Identifier: MIT

internal import SluiceModel

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
