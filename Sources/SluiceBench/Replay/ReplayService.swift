// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// Serves a recording's photos by their number, each as late and as slowly as its host did: `/12.jpg`.
///
/// They are generated photographs, as large as the recorded ones.
struct ReplayService: OriginService {
    /// From here on sizes double; what is smaller is no picture.
    private static let least = 2048
    /// What is larger than this is filled up: it would take long to paint.
    private static let most = 1 << 20

    private let photos: [Recording.Photo]
    private let sets: [PhotoSet]

    init(_ photos: [Recording.Photo], seed: Int) throws {
        self.photos = photos
        var sets: [PhotoSet] = []
        var size = Self.least
        while size <= Self.most {
            if photos.contains(where: { $0.isDone && Self.size(for: $0.bytes) == size }) {
                sets.append(try PhotoSet(count: 2, bytes: size, seed: seed))
            }
            size *= 2
        }
        self.sets = sets
    }

    func reply(to request: OriginRequest) -> OriginReply {
        guard let number = Int(request.path.dropFirst().dropLast(4)), photos.indices.contains(number) else {
            return .text("no such picture\n", status: 404)
        }
        let photo = photos[number]
        var reply =
            photo.isDone
            ? OriginReply(type: "image/jpeg", file(number, photo.bytes)) : .text("it failed\n", status: 404)
        reply.delay = .microseconds(photo.wait)
        // What took less than a millisecond is sent as it comes.
        if photo.isDone, photo.body >= 1000 {
            reply.bandwidth = max(1, Int(Double(photo.bytes) / (Double(photo.body) / 1e6)))
        }
        return reply
    }

    private func file(_ number: Int, _ bytes: Int) -> [UInt8] {
        guard let size = Self.size(for: bytes), let set = sets.first(where: { $0.bytes == size }),
            let base = set.file(number % set.count)
        else { return [UInt8](repeating: 0, count: bytes) }
        return JPEGComment.filling(base, to: bytes, with: number)
    }

    /// The largest size that leaves room for a comment.
    private static func size(for bytes: Int) -> Int? {
        var size = least
        guard bytes >= size + JPEGComment.least else { return nil }
        while size < most, size * 2 + JPEGComment.least <= bytes { size *= 2 }
        return size
    }
}

extension Recording.Photo {
    init(_ json: JSON) throws(BenchError) {
        let numbers = (json.elements ?? []).compactMap(\.integer)
        guard numbers.count == 5 else { throw BenchError(.broken, "a recorded photo has five numbers") }
        self.init(host: numbers[0], bytes: numbers[1], wait: numbers[2], body: numbers[3], isDone: numbers[4] != 0)
    }

    /// Five numbers: a line for the origin's process has one for each photo.
    func write(to list: inout JSONWriter) {
        list.array { list in for number in [host, bytes, wait, body, isDone ? 1 : 0] { list.value(number) } }
    }
}
