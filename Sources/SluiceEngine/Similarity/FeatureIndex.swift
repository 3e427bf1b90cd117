// SPDX-License-Identifier: MIT

/// Finds the pictures that have spots in common, without comparing all pairs.
///
/// Only spots whose hashes have a band of bits in common are compared.
enum FeatureIndex {
    /// Two pictures, by their numbers, and their common spots.
    struct Pair {
        let first: Int
        let second: Int
        let spots: [(first: PictureFeatures.Spot, second: PictureFeatures.Spot)]
    }

    /// The most bits in which the hashes of equal spots differ.
    private static let maxDistance = 12
    /// A band with more spots is not distinctive, for example that of letters.
    private static let maxBucket = 2000
    /// The number of spots up to which narrow bands are fast, and find more.
    private static let maxForNarrowBands = 1 << 20
    /// More common spots say nothing new about a pair.
    private static let maxSpots = 40

    private struct Key: Hashable {
        let first: Int32
        let second: Int32
    }

    /// Returns the pairs with at least two equal spots.
    static func pairs(_ pictures: [[PictureFeatures.Spot]]) -> [Pair] {
        var found: [Key: [(Int32, Int32)]] = [:]
        let isSmall = pictures.reduce(0) { $0 + $1.count } <= maxForNarrowBands
        let (width, count) = isSmall ? (16, 4) : (21, 3)
        for band in 0..<count {
            var entries: [(key: UInt32, picture: Int32, spot: Int32)] = []
            for (number, spots) in pictures.enumerated() {
                for (place, spot) in spots.enumerated() {
                    let key = spot.hash >> UInt64(width * band) & (1 << UInt64(width) - 1)
                    entries.append((UInt32(key), Int32(number), Int32(place)))
                }
            }
            entries.sort { ($0.key, $0.picture, $0.spot) < ($1.key, $1.picture, $1.spot) }
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].key == entries[start].key { end += 1 }
                if end - start <= maxBucket { compare(entries[start..<end], of: pictures, &found) }
                start = end
            }
        }
        return found.sorted { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }.compactMap {
            key, places in
            guard places.count > 1 else { return nil }
            let (first, second) = (pictures[Int(key.first)], pictures[Int(key.second)])
            return Pair(
                first: Int(key.first), second: Int(key.second),
                spots: places.map { (first[Int($0.0)], second[Int($0.1)]) })
        }
    }

    private static func compare(
        _ entries: ArraySlice<(key: UInt32, picture: Int32, spot: Int32)>, of pictures: [[PictureFeatures.Spot]],
        _ found: inout [Key: [(Int32, Int32)]]
    ) {
        for place in entries.indices {
            let one = entries[place]
            let hash = pictures[Int(one.picture)][Int(one.spot)].hash
            for other in entries[(place + 1)...] where other.picture != one.picture {
                let distance = (hash ^ pictures[Int(other.picture)][Int(other.spot)].hash).nonzeroBitCount
                guard distance <= maxDistance else { continue }
                var places = found[Key(first: one.picture, second: other.picture)] ?? []
                guard places.count < maxSpots, !places.contains(where: { $0 == (one.spot, other.spot) }) else {
                    continue
                }
                places.append((one.spot, other.spot))
                found[Key(first: one.picture, second: other.picture)] = places
            }
        }
    }
}

/// The part of an original that a copy seems to show, by the places of their common spots.
struct Alignment {
    let window: PictureSample.Window
    let symmetry: Symmetry

    /// The largest difference between the places of the same spot, as a fraction of the square root of the area.
    private static let tolerance = 0.025
    /// The most spots of one symmetry that are tried.
    private static let maxSpots = 20

    /// A spot's places in the original and in the copy, which is turned like the original.
    private typealias Places = (original: SIMD2<Double>, copy: SIMD2<Double>)

    /// Finds the part with which most spots agree; `nil` if fewer than two do.
    init?(
        of original: PictureSample, in copy: PictureSample,
        _ spots: [(original: PictureFeatures.Spot, copy: PictureFeatures.Spot)]
    ) {
        let size = SIMD2(original.aspect.squareRoot(), 1 / original.aspect.squareRoot())
        let copySize = SIMD2(copy.aspect.squareRoot(), 1 / copy.aspect.squareRoot())
        var best: (window: PictureSample.Window, symmetry: Symmetry, count: Int)?
        for symmetry in Symmetry.all {
            let turnedSize = symmetry.swapsAxes ? SIMD2(copySize.y, copySize.x) : copySize
            let alike = spots.filter { $0.copy.symmetry.inverse.followed(by: $0.original.symmetry) == symmetry }
            let places: [Places] = alike.prefix(Self.maxSpots).map { pair in
                let (x, y) = symmetry(Double(pair.copy.x) / copySize.x, Double(pair.copy.y) / copySize.y)
                return (SIMD2(Double(pair.original.x), Double(pair.original.y)), SIMD2(x, y) * turnedSize)
            }
            guard let found = Self.bestFit(places), found.count > best?.count ?? 1 else { continue }
            let (origin, extent) = (found.shift / size, found.scale * turnedSize / size)
            let window = PictureSample.Window(x: origin.x, y: origin.y, width: extent.x, height: extent.y)
            best = (window, symmetry, found.count)
        }
        guard let best else { return nil }
        (window, symmetry) = (best.window, best.symmetry)
    }

    /// The scale and shift from the copy's places to the original's that fit most spots.
    private static func bestFit(_ places: [Places]) -> (scale: Double, shift: SIMD2<Double>, count: Int)? {
        var best: (scale: Double, shift: SIMD2<Double>, count: Int)?
        for (number, one) in places.enumerated() {
            for other in places[..<number] {
                let (apart, copyApart) = (one.original - other.original, one.copy - other.copy)
                let distance = (copyApart * copyApart).sum().squareRoot()
                let scale = (apart * apart).sum().squareRoot() / max(distance, 1e-9)
                guard distance > 0.1, (0.4...1.1).contains(scale) else { continue }
                let shift = (one.original + other.original - scale * (one.copy + other.copy)) / 2
                let count = places.count { place in
                    let error = place.original - shift - scale * place.copy
                    return abs(error.x) < tolerance && abs(error.y) < tolerance
                }
                if count > best?.count ?? 1 { best = (scale, shift, count) }
            }
        }
        return best
    }
}
