// SPDX-License-Identifier: MIT

internal import SluiceDemo
internal import SluiceImaging
internal import SluiceModel

/// A set of JPEG files of equal size, reproducible from a seed.
///
/// Only a few pictures are generated. Each file is one of them plus a comment that pads it and makes it unique.
struct PhotoSet: Sendable {
    /// The number of generated pictures: enough to defeat caches, few enough to start quickly.
    private static let pictureCount = 8

    let count: Int
    let bytes: Int
    private let bases: [[UInt8]]

    /// Generates the pictures, with dimensions that suit files of `bytes` bytes.
    init(count: Int, bytes: Int, seed: Int) throws {
        self.count = count
        self.bytes = bytes
        // A photograph of quality 80 takes about 0.17 bytes per pixel; the aspect ratio is 3:2.
        let width = max(16, Int((Double(bytes) / 0.17 * 1.5).squareRoot()))
        bases = try (0..<min(count, Self.pictureCount)).map { number in
            try Self.encoded(GrainyPhoto(number: seed &* 31 &+ number, width: width), within: bytes)
        }
    }

    /// Returns the file with a number from 0; `nil` if the set is smaller.
    func file(_ number: Int) -> [UInt8]? {
        guard (0..<count).contains(number) else { return nil }
        let base = bases[number % bases.count]
        return JPEGPadding.padding(base, to: bytes, with: number)
    }

    /// Encodes with the highest quality that leaves room for a comment.
    private static func encoded(_ photo: GrainyPhoto, within bytes: Int) throws -> [UInt8] {
        var encoder = ImageEncoder(.jpeg)
        var (low, high) = (1, 95)
        var best: [UInt8]?
        while low <= high {
            encoder.quality = (low + high) / 2
            let file = try encoder.encode(photo.rgba, width: photo.width, height: photo.height)
            if file.count + JPEGPadding.minimumBytes <= bytes {
                best = file
                low = encoder.quality + 1
            } else {
                high = encoder.quality - 1
            }
        }
        guard let best else { throw BenchError(.usage, "cannot make a photo of \(bytes) bytes: use 2k or more") }
        return best
    }
}

/// Pads a JPEG with comment segments, which every decoder ignores.
enum JPEGPadding {
    /// The size of the smallest comment that holds a number, in bytes.
    static let minimumBytes = 12
    private static let maximumBytes = 65_535

    /// Returns the file with comments after its first marker, so that it has exactly `bytes` bytes and contains its
    /// number.
    static func padding(_ file: [UInt8], to bytes: Int, with number: Int) -> [UInt8] {
        var padded = Array(file.prefix(2))
        padded.reserveCapacity(bytes)
        var remaining = bytes - file.count
        while remaining > 0 {
            // The remainder must be large enough for another comment.
            var size = min(remaining, maximumBytes)
            if remaining > size, remaining - size < minimumBytes { size -= minimumBytes }
            padded += [0xFF, 0xFE, UInt8((size - 2) >> 8), UInt8((size - 2) & 0xFF)]
            padded += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            padded += [UInt8](repeating: UInt8(ascii: "."), count: size - minimumBytes)
            remaining -= size
        }
        return padded + file.dropFirst(2)
    }
}

/// A generated picture with sensor grain, which costs a codec about as much as a photograph.
///
/// The same number and width always give the same pixels.
struct GrainyPhoto: Sendable {
    let width: Int
    let height: Int
    /// The pixels, four bytes each.
    let rgba: [UInt8]

    /// The largest change that grain makes to a channel value, in either direction.
    private static let grain = 6

    init(number: Int, width: Int) {
        let picture = GeneratedPicture(number: abs(number) % 1000 + 1).bitmap(width: width)
        self.width = picture.width
        self.height = picture.height
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
        var pixels = picture.rgba
        for start in stride(from: 0, to: pixels.count, by: 4) {
            var bits = random.next()
            for sample in start..<start + 3 {
                let shift = Int(bits & 0xFF) % (2 * Self.grain + 1) - Self.grain
                pixels[sample] = UInt8(clamping: Int(pixels[sample]) + shift)
                bits >>= 8
            }
        }
        rgba = pixels
    }
}
