// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// Measurements of a decoded picture that tell which of two copies is the better one.
package struct PictureTraits: Sendable, Hashable {
    /// The length of the segments of rows and columns whose frequencies are measured.
    package static let segment = 32
    /// The number of cells in each direction.
    package static let cellSide = 16
    /// The rows and columns of the coefficients in blocks of 8 by 8 pixels whose values are counted.
    package static let coefficients = [(0, 1), (1, 0), (2, 0), (1, 1), (0, 2), (0, 3), (1, 2), (2, 1), (3, 0)]
    /// The number of values that are counted; the last one stands for all larger ones.
    package static let values = 256
    /// Enough pixels for stable measurements; larger pictures are sampled.
    private static let sampledPixels = 1 << 17
    private static let count = 2 * (segment - 1) + 4 + cellSide * cellSide + coefficients.count * values

    /// The energy of the frequencies of rows and columns: half waves in a segment, from 1 on.
    package private(set) var spectra: [[Float]] = []
    package private(set) var variance: Float = 0
    /// The shares of pixels within two steps of the darkest brightness, and of the brightest one.
    package private(set) var black: Float = 0
    package private(set) var white: Float = 0
    package private(set) var mean: Float = 0
    /// The mean energy of differences between neighbours in each cell.
    package private(set) var cells: [Float] = []
    /// How often each absolute value of a coefficient occurs.
    package private(set) var histograms: [[Float]] = []

    /// Measures a picture without transparency.
    init(of image: Raster) {
        let picture = Brightness(image)
        let step = max(1, image.width * image.height / Self.sampledPixels)
        spectra = [
            Self.spectrum(image.width, image.height, step) { picture[$0, $1] },
            Self.spectrum(image.height, image.width, step) { picture[$1, $0] },
        ]
        measureCells(of: picture)
        histograms = Self.histograms(of: picture, step)
    }

    /// Reads the bytes of measurements; `nil` if they are invalid.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count * 4 else { return nil }
        let numbers = stride(from: 0, to: bytes.count, by: 4).map { start in
            Float(bitPattern: bytes[start..<start + 4].number(bigEndian: false))
        }
        guard numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1e12 }) else { return nil }
        var rest = numbers[...]
        func take(_ count: Int) -> [Float] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        spectra = [take(Self.segment - 1), take(Self.segment - 1)]
        (variance, black, white, mean) = (take(1)[0], take(1)[0], take(1)[0], take(1)[0])
        cells = take(Self.cellSide * Self.cellSide)
        histograms = Self.coefficients.map { _ in take(Self.values) }
    }

    /// The number of ``bytes``.
    static let length = count * 4

    var bytes: [UInt8] {
        (spectra.joined() + [variance, black, white, mean] + cells + histograms.joined()).flatMap { number in
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number.bitPattern >> $0) }
        }
    }

    /// The brightness of an image's pixels.
    private struct Brightness {
        let image: Raster
        let channels: Int

        init(_ image: Raster) { (self.image, channels) = (image, image.layout.channels) }

        subscript(x: Int, y: Int) -> Float {
            let start = (y * image.width + x) * channels
            guard channels > 2 else { return Float(image.bytes[start]) }
            let weighted =
                Int(image.bytes[start]) * 299 + Int(image.bytes[start + 1]) * 587 + Int(image.bytes[start + 2]) * 114
            return Float(weighted) / 1000
        }
    }

    private static func waves(_ length: Int) -> [[Float]] {
        (0..<length).map { wave in
            let scale = (wave == 0 ? 1 : 2.0.squareRoot()) / Double(length).squareRoot()
            return (0..<length).map { Float(scale * cos(.pi * Double(2 * $0 + 1) * Double(wave) / Double(2 * length))) }
        }
    }

    /// Measures lines of `length` pixels, of which every `step`-th is read.
    private static func spectrum(
        _ length: Int, _ lines: Int, _ step: Int, _ pixel: (Int, Int) -> Float
    ) -> [Float] {
        let waves = waves(segment)
        var energy = [Float](repeating: 0, count: segment - 1)
        var count: Float = 0
        for line in stride(from: 0, to: lines, by: step) {
            for start in stride(from: 0, through: length - segment, by: segment) {
                let values = (start..<start + segment).map { pixel($0, line) }
                for wave in 1..<segment {
                    var sum: Float = 0
                    for index in 0..<segment { sum += values[index] * waves[wave][index] }
                    energy[wave - 1] += sum * sum
                }
                count += 1
            }
        }
        return energy.map { $0 / max(count, 1) }
    }

    private mutating func measureCells(of picture: Brightness) {
        let (width, height, side) = (picture.image.width, picture.image.height, Self.cellSide)
        // Every n-th pixel in both directions.
        var step = 1
        while width / step * (height / step) > 4 * Self.sampledPixels { step += 1 }
        var counts = [Float](repeating: 0, count: side * side)
        cells = counts
        var levels = [Float](repeating: 0, count: 256)
        var (sum, squares, count) = (Double(0), Double(0), Float(0))
        for y in stride(from: 0, to: height - 1, by: step) {
            for x in stride(from: 0, to: width - 1, by: step) {
                let value = picture[x, y]
                let (across, down) = (picture[x + 1, y] - value, picture[x, y + 1] - value)
                let cell = y * side / height * side + x * side / width
                cells[cell] += across * across + down * down
                counts[cell] += 1
                sum += Double(value)
                squares += Double(value * value)
                levels[min(Int(value.rounded()), 255)] += 1
                count += 1
            }
        }
        for cell in cells.indices { cells[cell] /= max(counts[cell], 1) }
        let mean = sum / Double(max(count, 1))
        variance = Float(max(0, squares / Double(max(count, 1)) - mean * mean))
        black = Self.firstShare(of: levels, count)
        white = Self.firstShare(of: levels.reversed(), count)
        self.mean = Float(mean)
    }

    /// The share of the first three levels, from the first one that is no outlier.
    private static func firstShare(of levels: [Float], _ count: Float) -> Float {
        var sum: Float = 0
        let first = levels.firstIndex { level in
            sum += level
            return sum > count / 10_000
        }
        return first.map { levels[$0...].prefix(3).reduce(0, +) / max(count, 1) } ?? 0
    }

    private static func histograms(of picture: Brightness, _ step: Int) -> [[Float]] {
        let waves = waves(8)
        var counts = [[Float]](repeating: [Float](repeating: 0, count: values), count: coefficients.count)
        let (columns, rows) = (picture.image.width / 8, picture.image.height / 8)
        for block in stride(from: 0, to: columns * rows, by: step) {
            let (left, top) = (block % columns * 8, block / columns * 8)
            let pixels = (0..<64).map { picture[left + $0 % 8, top + $0 / 8] }
            for (index, (row, column)) in coefficients.enumerated() {
                var sum: Float = 0
                for pixel in 0..<64 { sum += pixels[pixel] * waves[row][pixel / 8] * waves[column][pixel % 8] }
                counts[index][min(Int(abs(sum).rounded()), values - 1)] += 1
            }
        }
        return counts
    }
}
