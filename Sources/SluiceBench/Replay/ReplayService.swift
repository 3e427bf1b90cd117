// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// Serves a recording's photos by number, for example `/12.jpg`, with the recorded delays and rates.
///
/// The photos are generated and have the recorded sizes.
struct ReplayService: OriginService {
    /// The smallest size of a generated photo in bytes; sizes double from here, and smaller bodies are zeros.
    private static let smallestSize = 2048
    /// The largest size of a generated photo in bytes; larger ones take too long to generate and are padded.
    private static let largestSize = 1 << 20

    private let photos: [Recording.Photo]
    private let sets: [PhotoSet]

    init(_ photos: [Recording.Photo], seed: Int) throws {
        self.photos = photos
        var sets: [PhotoSet] = []
        var size = Self.smallestSize
        while size <= Self.largestSize {
            if photos.contains(where: { $0.isDone && Self.size(for: $0.bytes) == size }) {
                sets.append(try PhotoSet(count: 2, bytes: size, seed: seed))
            }
            size *= 2
        }
        self.sets = sets
    }

    func reply(to request: OriginRequest) -> OriginReply {
        guard let number = Int(request.path.dropFirst().dropLast(4)), photos.indices.contains(number) else {
            return .text("no such photo\n", status: 404)
        }
        let photo = photos[number]
        var reply =
            photo.isDone
            ? OriginReply(type: "image/jpeg", file(number, photo.bytes)) : .text("it failed\n", status: 404)
        reply.delay = .microseconds(photo.wait)
        // Bodies that took less than a millisecond are not throttled.
        if photo.isDone, photo.body >= 1000 {
            reply.bandwidth = max(1, Int(Double(photo.bytes) / (Double(photo.body) / 1e6)))
        }
        return reply
    }

    private func file(_ number: Int, _ bytes: Int) -> [UInt8] {
        guard let size = Self.size(for: bytes), let set = sets.first(where: { $0.bytes == size }),
            let base = set.file(number % set.count)
        else { return [UInt8](repeating: 0, count: bytes) }
        return JPEGPadding.padding(base, to: bytes, with: number)
    }

    /// Returns the largest size that leaves room for a comment, or `nil`.
    private static func size(for bytes: Int) -> Int? {
        var size = smallestSize
        guard bytes >= size + JPEGPadding.minimumBytes else { return nil }
        while size < largestSize, size * 2 + JPEGPadding.minimumBytes <= bytes { size *= 2 }
        return size
    }
}

extension Recording.Photo {
    init(_ json: JSON) throws(BenchError) {
        let numbers = (json.elements ?? []).compactMap(\.integer)
        guard numbers.count == 5 else {
            throw BenchError(.broken, "cannot read a recorded photo: expected five numbers")
        }
        self.init(host: numbers[0], bytes: numbers[1], wait: numbers[2], body: numbers[3], isDone: numbers[4] != 0)
    }

    /// Writes the photo as an array of five numbers, for the origin's process.
    func write(to list: inout JSONWriter) {
        list.array { list in for number in [host, bytes, wait, body, isDone ? 1 : 0] { list.value(number) } }
    }
}
