// SPDX-License-Identifier: MIT

/// What a share of the values is at most, between two of them in proportion; 0 of none.
func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return 0 }
    let place = min(max(share, 0), 1) * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
}

/// The value in the middle.
func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

/// How far values lie from their median, in the middle, scaled so that it is the standard deviation of a normal spread.
func deviation(_ values: [Double]) -> Double {
    let middle = median(values)
    return 1.4826 * median(values.map { abs($0 - middle) })
}
