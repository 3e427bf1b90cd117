// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// Tells how similar an encoded version of a picture looks to it.
///
/// The measure has the parts of SSIMULACRA 2: at four sizes and in a colour space like that of the eye's cones,
/// structural similarity, edges that the version adds, and detail that it loses. The blur and the weights are our own;
/// the weights are fitted to SSIMULACRA 2's scores of photographs, so that the numbers mean about the same: 90 looks
/// identical, 70 is good, and 50 is visibly reduced. `Documentation/formats.md` has the deviations.
enum VisualComparison {
    /// The shortest side of a picture that can be compared.
    static let minimumSide = 32
    /// About this many pixels are compared at a time, which bounds the memory.
    private static let stripPixels = 1 << 20

    /// The similarity of two pictures of the same size, at most 100; transparent pixels are compared on white.
    static func score(of version: Raster, comparedWith original: Raster) -> Double {
        let height = max(2 * minimumSide, stripPixels / original.width)
        var sum = 0.0
        for top in stride(from: 0, to: original.height, by: height) {
            let rows = min(height, original.height - top)
            let distance = distance(
                LinearPicture(original.part(x: 0, y: top, original.width, rows)),
                LinearPicture(version.part(x: 0, y: top, version.width, rows)))
            sum += (100 - 10 * pow(distance, 0.6)) * Double(rows)
        }
        return sum / Double(original.height)
    }

    private static func distance(_ original: LinearPicture, _ version: LinearPicture) -> Double {
        var (original, version) = (original, version)
        var distance = 0.0
        for (level, weights) in weights.enumerated() {
            if level > 0 { (original, version) = (original.halved, version.halved) }
            let (planes, others) = (original.planes, version.planes)
            for (channel, weights) in weights.enumerated() where weights != .zero {
                let difference = planes[channel].difference(from: others[channel])
                distance += (difference * weights).sum()
            }
        }
        return distance
    }

    /// For each level, and each channel of ``LinearPicture/planes``, the weights of the parts of a difference.
    private static let weights: [[SIMD4<Double>]] = [
        [.zero, [1.78, 13.38, 0, 45.43], [0, 0, 16.34, 10.88]],
        [[0, 2.43, 0, 0], [0, 25.01, 0, 0], .zero],
        [.zero, [431.04, 19.09, 0, 0], .zero],
        [[0, 0, 45.15, 25.12], [634.94, 47.13, 0, 0], [91.61, 44.92, 177.54, 0]],
    ]
}

/// A picture's light, as red, green and blue in interleaved samples from 0 to 1.
private struct LinearPicture {
    let width: Int
    let height: Int
    private let samples: [Float]

    init(_ picture: Raster) {
        let opaque = picture.layout.hasAlpha ? picture.expanded(to: .rgba).flattened : picture.expanded(to: .rgb)
        (width, height) = (opaque.width, opaque.height)
        samples = opaque.bytes.map { Self.light[Int($0)] }
    }

    private init(width: Int, height: Int, samples: [Float]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// The picture at half its size; an odd last row or column is left out.
    var halved: LinearPicture {
        let (half, rows) = (max(1, width / 2), max(1, height / 2))
        var means: [Float] = []
        means.reserveCapacity(3 * half * rows)
        let right = width > 1 ? 3 : 0
        let below = height > 1 ? 3 * width : 0
        for y in 0..<rows {
            for x in 0..<half {
                for place in (6 * y * width + 6 * x)..<(6 * y * width + 6 * x + 3) {
                    means.append(
                        (samples[place] + samples[place + right] + samples[place + below]
                            + samples[place + right + below]) / 4)
                }
            }
        }
        return LinearPicture(width: half, height: rows, samples: means)
    }

    /// The channels of JPEG XL's colour space XYB, moved into a positive range: red against green, brightness, and blue
    /// against it.
    var planes: [ComparedPlane] {
        var planes = [[Float]](repeating: [], count: 3)
        for channel in planes.indices { planes[channel].reserveCapacity(width * height) }
        for place in stride(from: 0, to: samples.count, by: 3) {
            let (red, green, blue) = (samples[place], samples[place + 1], samples[place + 2])
            let long = Self.response(0.3 * red + 0.622 * green + 0.078 * blue)
            let middle = Self.response(0.23 * red + 0.692 * green + 0.078 * blue)
            let short = Self.response(0.243_422_69 * red + 0.204_767_45 * green + 0.551_809_86 * blue)
            let brightness = (long + middle) / 2
            planes[0].append(7 * (long - middle) + 0.42)
            planes[1].append(brightness + 0.01)
            planes[2].append(short - brightness + 0.55)
        }
        return planes.map { ComparedPlane(width: width, height: height, samples: $0) }
    }

    /// The response of a cone to light.
    private static func response(_ light: Float) -> Float { cubeRoot(light + bias) - biasRoot }

    private static let bias: Float = 0.003_793_073_3
    private static let biasRoot = cubeRoot(bias)

    /// The cube root of a positive number, the same on every machine.
    private static func cubeRoot(_ value: Float) -> Float {
        // A third of the exponent is a guess within 4 %, which two of Halley's steps make exact.
        var root = Float(bitPattern: value.bitPattern / 3 + 0x2A51_37A0)
        for _ in 0..<2 {
            let cube = root * root * root
            root *= (cube + 2 * value) / (2 * cube + value)
        }
        return root
    }

    private static let light: [Float] = (0..<256).map { value in
        let sample = Double(value) / 255
        return Float(sample <= 0.040_45 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4))
    }
}

/// One channel of a picture.
private struct ComparedPlane {
    let width: Int
    let height: Int
    let samples: [Float]

    /// A variance below which contrast is not visible.
    private static let floor: Float = 9e-4

    /// The mean of the difference in structure, its peaks, and the peaks of added edges and of lost detail.
    ///
    /// Peaks are means in which the largest differences count most.
    func difference(from version: ComparedPlane) -> SIMD4<Double> {
        let (means, others) = (blurred, version.blurred)
        let squares = plane(zip(samples, version.samples).map { $0 * $0 + $1 * $1 }).blurred
        let products = plane(zip(samples, version.samples).map { $0 * $1 }).blurred
        var sums = SIMD4<Double>.zero
        for place in samples.indices {
            let (mean, other) = (means[place], others[place])
            let covariance = products[place] - mean * other
            let variances = squares[place] - mean * mean - other * other
            let likeness = (1 - (mean - other) * (mean - other)) * (2 * covariance + Self.floor)
            let structure = max(0, 1 - likeness / (variances + Self.floor))
            let edge = (1 + abs(version.samples[place] - other)) / (1 + abs(samples[place] - mean)) - 1
            let peaks = SIMD4(0, structure, max(0, edge), max(0, -edge))
            sums += SIMD4<Double>(peaks * peaks * peaks * peaks + SIMD4(structure, 0, 0, 0))
        }
        sums /= Double(samples.count)
        return SIMD4(sums[0], pow(sums[1], 0.25), pow(sums[2], 0.25), pow(sums[3], 0.25))
    }

    private func plane(_ samples: [Float]) -> ComparedPlane {
        ComparedPlane(width: width, height: height, samples: samples)
    }

    /// The samples after three means of three neighbours in both directions; the edges are continued.
    private var blurred: [Float] {
        // Unsafe pointers let the compiler use vector instructions, which makes the blur five times as fast.
        let margin = 3
        return unsafe samples.withUnsafeBufferPointer { source in
            unsafe [Float](unsafeUninitializedCapacity: source.count) { result, filled in
                unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 2 * margin) { line in
                    for y in 0..<height {
                        let rows = (y - margin...y + margin).map { min(max($0, 0), height - 1) * width }
                        for x in 0..<width {
                            unsafe line[margin + x] = Self.mean(
                                source[rows[0] + x], source[rows[1] + x], source[rows[2] + x], source[rows[3] + x],
                                source[rows[4] + x], source[rows[5] + x], source[rows[6] + x])
                        }
                        for x in 0..<margin {
                            unsafe line[x] = line[margin]
                            unsafe line[margin + width + x] = line[margin + width - 1]
                        }
                        let target = y * width
                        for x in 0..<width {
                            unsafe result[target + x] = Self.mean(
                                line[x], line[x + 1], line[x + 2], line[x + 3], line[x + 4], line[x + 5], line[x + 6])
                        }
                    }
                }
                filled = source.count
            }
        }
    }

    /// The weighted mean that three means of three samples give.
    @inline(__always)
    private static func mean(
        _ a: Float, _ b: Float, _ c: Float, _ middle: Float, _ d: Float, _ e: Float, _ f: Float
    ) -> Float {
        ((a + f) + 3 * (b + e) + 6 * (c + d) + 7 * middle) / 27
    }
}
