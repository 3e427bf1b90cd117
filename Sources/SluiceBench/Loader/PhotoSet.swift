// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceOrigin

/// A set of JPEGs of one size, the same ones from the same seed: painted photographs with a sensor's grain.
///
/// A few are painted; each file is one of them, and differs from all others in a comment that fills it up.
struct PhotoSet: Sendable {
    /// How many pictures are painted: enough for no cache to learn them, few enough to begin soon.
    private static let paintings = 8

    let count: Int
    let bytes: Int
    private let bases: [[UInt8]]

    /// Paints the pictures, as large as goes well with so many bytes.
    init(count: Int, bytes: Int, seed: Int) throws {
        self.count = count
        self.bytes = bytes
        // What a photograph of quality 80 has for each pixel, at three to two.
        let width = max(16, Int((Double(bytes) / 0.17 * 1.5).squareRoot()))
        bases = try (0..<min(count, Self.paintings)).map { number in
            try Self.encoded(GrainyPhoto(number: seed &* 31 &+ number, width: width), within: bytes)
        }
    }

    /// The file of a number from 0; `nil` behind the last.
    func file(_ number: Int) -> [UInt8]? {
        guard (0..<count).contains(number) else { return nil }
        let base = bases[number % bases.count]
        return JPEGComment.filling(base, to: bytes, with: number)
    }

    /// The best quality whose file leaves room for a comment, or the least there is.
    private static func encoded(_ photo: GrainyPhoto, within bytes: Int) throws -> [UInt8] {
        var encoder = PictureEncoder(.jpeg)
        var (low, high) = (1, 95)
        var best: [UInt8]?
        while low <= high {
            encoder.quality = (low + high) / 2
            let file = try encoder.encode(photo.rgba, width: photo.width, height: photo.height)
            if file.count + JPEGComment.least <= bytes {
                best = file
                low = encoder.quality + 1
            } else {
                high = encoder.quality - 1
            }
        }
        guard let best else { throw BenchError(.usage, "\(bytes) bytes are too few for a photo: take 2k or more") }
        return best
    }
}
