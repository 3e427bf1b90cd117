// SPDX-License-Identifier: MIT

/// Returns up to `count` different numbers from 1 to `all`, evenly spaced from a random start.
func sample(_ count: Int, of all: Int) -> [Int] {
    let count = min(count, all)
    guard count > 0 else { return [] }
    let start = Int.random(in: 0..<all)
    return (0..<count).map { (start + $0 * all / count) % all + 1 }
}

/// Divides points among rigs, rounding up.
func share(of points: Int, among parts: Int) -> Int { max(1, (points + parts - 1) / parts) }
