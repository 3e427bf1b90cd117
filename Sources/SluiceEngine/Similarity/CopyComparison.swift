// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceSystem

/// Tells by pixels and quantisation tables which of two copies is nearer to the photo that both are made from.
///
/// The thresholds are from copies of 100 photographs; `Documentation/upkeep.md` has the results for others.
struct CopyComparison {
    /// A picture, as a comparison needs it.
    struct Picture {
        let width: Int
        let height: Int
        let traits: PictureTraits
        /// The beginning of a JPEG's table for brightness, in zigzag order; empty for other formats.
        let table: [Int]
        let isLossless: Bool
        let hasEXIF: Bool

        fileprivate var pixels: Double { Double(width) * Double(height) }

        /// The logarithm of the steps with which the coefficients are rounded; `nil` if they are not known.
        fileprivate var coarseness: Double? {
            guard !table.isEmpty else { return isLossless ? 0 : nil }
            return log(Double(table.reduce(0, +)) / Double(table.count))
        }
    }

    /// Why one of two pictures is better.
    typealias Verdict = (isFirst: Bool, reason: String)

    private let large: Picture
    private let small: Picture
    private let isSwapped: Bool

    init(_ first: Picture, _ second: Picture) {
        isSwapped = first.pixels < second.pixels
        (large, small) = isSwapped ? (second, first) : (first, second)
    }

    /// Which picture is better; `nil` if nothing tells.
    var verdict: Verdict? {
        guard let (isLarge, reason) = largeIsBetter else { return nil }
        return (isLarge != isSwapped, reason)
    }

    private var largeIsBetter: (Bool, String)? {
        let scale = (large.pixels / small.pixels).squareRoot()
        if scale > 1.12 { return isScaledUp ? (false, "not scaled up") : (true, "more detail") }
        let isSameSize = large.width == small.width && large.height == small.height
        if isSameSize, let source { return source }
        if large.hasEXIF != small.hasEXIF { return (large.hasEXIF, "has EXIF data") }
        let (middle, high) = (gain(0.2, 0.3), gain(0.6, 0.85))
        // Blurring attenuates high frequencies by far the most; sharpening raises the middle ones, too.
        if abs(high) > 1.8 || abs(high) > 1.2 && middle / high < 0.34 && middle / high > 0.12 {
            return (high > 0, "not blurred")
        }
        if scale > 1.005 { return (true, "more pixels") }
        if abs(high) > 0.4, middle * (high > 0 ? 1 : -1) > 0.2 { return (high < 0, "not sharpened") }
        if abs(large.traits.mean - small.traits.mean) > 3 {
            if let isBrightened = largeIsBrightened { return (!isBrightened, "fewer clipped tones") }
        } else if let isMarked = largeHasMark {
            return (!isMarked, "without a mark")
        }
        guard let one = large.coarseness, let other = small.coarseness, abs(one - other) > 0.05 else { return nil }
        return (one < other, large.isLossless || small.isLossless ? "lossless" : "finer JPEG")
    }

    /// Whether the larger picture was made from the smaller one, or from another of its size.
    ///
    /// Then its detail falls steeply at the limit of the smaller size, already below it. A smaller copy that was
    /// sharpened has more detail there, but also in lower frequencies.
    private var isScaledUp: Bool {
        let beyond = [0, 1].map { axis in
            let (length, limit) = large.lengths(axis, of: small)
            let end = max(min(1.6, 0.97 * length / (2 * limit)), 1.1)
            return log(large.detail(axis, 1.08 * limit...end * limit) / large.detail(axis, 0.5 * limit...0.9 * limit))
        }
        return gain(0.6, 0.9) - gain(0.3, 0.5) + 0.175 * (beyond[0] + beyond[1]) < -0.6
    }

    /// Returns the original of two pictures of the same size, by the traces that a conversion leaves.
    private var source: (Bool, String)? {
        let reason = "source of the copy"
        if large.table.isEmpty != small.table.isEmpty, large.isLossless || small.isLossless {
            // Only the decoded JPEG has exactly its pixels.
            let pairs = zip(large.traits.histograms.joined(), small.traits.histograms.joined())
            let difference = pairs.reduce(Float(0)) { $0 + abs($1.0 - $1.1) }
            if difference <= 0.002 * large.traits.histograms.joined().reduce(0, +) { return (small.isLossless, reason) }
        }
        let (ofSmall, ofLarge) = (trace(of: small, in: large), trace(of: large, in: small))
        // Two copies may have traces of a third table, so that neither is the source; a copy has no more detail.
        let isLarge = ofLarge > ofSmall
        guard max(ofSmall, ofLarge) > 0.25, abs(large.traits.mean - small.traits.mean) < 3,
            gain(0.6, 0.85) * (isLarge ? 1 : -1) > -0.5
        else { return nil }
        return (isLarge, reason)
    }

    /// How much the coefficients of a picture cluster at the steps of another one's table, up to 1.
    private func trace(of source: Picture, in copy: Picture) -> Double {
        guard source.table.count > PictureTraits.coefficients.count else { return 0 }
        var (sum, count) = (Double(0), Double(0))
        for index in PictureTraits.coefficients.indices {
            let step = Double(source.table[index + 1])
            let own = copy.table.isEmpty ? 1 : Double(copy.table[index + 1])
            // Its own steps hide finer ones.
            guard step >= 3, own * 1.5 <= step else { continue }
            for value in 1..<PictureTraits.values - 1 where Double(value) > 0.6 * step {
                let number = Double(copy.traits.histograms[index][value])
                sum += number * cos(2 * .pi * Double(value) / step)
                count += number
            }
        }
        return count > 200 ? sum / count : 0
    }

    /// The logarithm of the larger picture's detail relative to the smaller one's, between two frequencies as parts of
    /// the smaller one's highest.
    private func gain(_ low: Double, _ high: Double) -> Double {
        let gains = [0, 1].map { axis in
            let limit = large.lengths(axis, of: small).limit
            let range = low * limit...high * limit
            return log(large.detail(axis, range) / small.detail(large.axis(axis, of: small), range))
        }
        return (gains[0] + gains[1]) / 2
    }

    /// Whether the brightness of the larger picture was changed, and not that of the other one; `nil` if nothing tells.
    private var largeIsBrightened: Bool? {
        let isBrighter = large.traits.mean > small.traits.mean
        let (bright, dark) = isBrighter ? (large.traits, small.traits) : (small.traits, large.traits)
        if bright.white > 1.5 * dark.white + 0.0005 { return isBrighter }
        return dark.black > 4 * bright.black + 0.002 ? !isBrighter : nil
    }

    /// Whether the larger picture has a mark, which is a small place with more detail than in the other; `nil` if
    /// neither has one.
    private var largeHasMark: Bool? {
        let (one, other) = (large.traits.cells, small.traits.cells)
        let ratios = zip(one, other).map { $0 / max($1, 0.001) }.sorted()
        let factor = ratios[ratios.count / 2]
        let limit = 0.3 * zip(one, other).reduce(0) { $0 + max($1.0, factor * $1.1) } / Float(one.count)
        let more = zip(one, other).count { $0 - factor * $1 > limit && $0 > 1.6 * factor * $1 }
        let less = zip(one, other).count { $0 - factor * $1 < -limit && 1.6 * $0 < factor * $1 }
        guard min(more, less) == 0, (3...24).contains(max(more, less)) else { return nil }
        return more > less
    }
}

extension CopyComparison.Picture {
    /// The axis of a copy that shows the same direction as an axis of this picture, unless the picture is square.
    fileprivate func axis(_ axis: Int, of copy: Self) -> Int {
        (width >= height) == (copy.width >= copy.height) ? axis : 1 - axis
    }

    /// The length of an axis, and the highest frequency of a copy in that direction.
    fileprivate func lengths(_ axis: Int, of copy: Self) -> (length: Double, limit: Double) {
        (length(axis), copy.length(self.axis(axis, of: copy)) / 2)
    }

    private func length(_ axis: Int) -> Double { Double(axis == 0 ? width : height) }

    /// The mean energy between two frequencies, in waves across the picture, relative to that of an average photograph.
    fileprivate func detail(_ axis: Int, _ range: ClosedRange<Double>) -> Double {
        let length = length(axis)
        let spectrum = traits.spectra[axis]
        let points = 12
        var sum = 0.0
        for point in 0..<points {
            let frequency =
                range.lowerBound + (range.upperBound - range.lowerBound) * Double(point) / Double(points - 1)
            let place = min(
                max(frequency * Double(2 * PictureTraits.segment) / length - 1, 0), Double(spectrum.count - 1))
            let (index, part) = (Int(place), place - Double(Int(place)))
            let next = min(index + 1, spectrum.count - 1)
            func value(_ index: Int) -> Double {
                let wave = Double(index + 1)
                return Double(spectrum[index]) * wave * wave
            }
            sum += value(index) * (1 - part) + value(next) * part
        }
        return max(sum * length / Double(max(traits.variance, 0.01)), 1e-9)
    }
}
