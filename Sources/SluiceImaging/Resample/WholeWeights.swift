// SPDX-License-Identifier: MIT

/// The weights of whole rows as small integers, two by two: how rows of bytes are mixed fastest.
struct PairWeights: Sendable {
    /// What the weights of one target row sum up to.
    static let one = 16384

    /// The first pair of rows that counts, for each target row.
    private(set) var firsts: [Int] = []
    /// How many pairs count.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` pairs for each target row.
    private(set) var weights: [Int16]
    /// The most pairs that count.
    let taps: Int

    init(_ rows: AxisWeights) {
        taps = (rows.counts.max() ?? 0) / 2 + 1
        weights = [Int16](repeating: 0, count: rows.counts.count * taps * 2)
        for target in rows.counts.indices {
            let first = Int(rows.firsts[target])
            firsts.append(first / 2)
            counts.append((first % 2 + rows.counts[target] + 1) / 2)
            round(rows.weights[target * rows.taps..<target * rows.taps + rows.counts[target]], to: target, first % 2)
        }
    }

    /// Rounds one row's weights; what one loses by it the next one gets, so that their sum stays exact.
    private mutating func round(_ exact: ArraySlice<Float>, to target: Int, _ offset: Int) {
        var place = target * taps * 2 + offset
        var lost = 0.0
        var left = Self.one
        for (index, weight) in exact.enumerated() {
            let wanted = Double(weight) * Double(Self.one) + lost
            let rounded = index == exact.count - 1 ? left : Int(wanted.rounded())
            weights[place] = Int16(clamping: rounded)
            lost = wanted - Double(rounded)
            left -= rounded
            place += 1
        }
    }
}
