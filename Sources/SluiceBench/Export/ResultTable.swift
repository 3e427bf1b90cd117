// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Results as rows of text, independent of the output format.
package struct ResultTable: Sendable, Hashable {
    package var head: [String]
    /// The cells of each point, without units.
    package var rows: [[String]]
    /// The share of the best rate of each point, shown as a bar after ``barColumn``.
    package var shares: [Double]
    /// The index of the column that the bars belong to.
    package var barColumn: Int
    /// The indices of the columns that contain text instead of numbers.
    package var textColumns: Set<Int>
    /// The indices of the columns that a terminal need not show if all their cells are zero.
    package var optionalColumns: Set<Int> = []
}

/// Formats a ratio with two decimals.
func hundredths(_ ratio: Double) -> String {
    guard ratio.isFinite, abs(ratio) < 1e13 else { return "0" }
    let whole = Int((abs(ratio) * 100).rounded())
    return "\(ratio < 0 ? "-" : "")\(whole / 100)." + "\(whole % 100)".zeroPadded(to: 2)
}

/// Formats a share as a percentage with as many decimals as it needs, up to two.
func percent(_ share: Double) -> String {
    let text = hundredths(share * 100)
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) + "%"
}

/// Formats a number with two decimals below 1, one below 100, and none above.
func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "0" }
    let places = abs(number) >= 99.95 ? 0 : abs(number) >= 0.995 || number == 0 ? 1 : 2
    let scale = [1, 10, 100][places]
    let whole = Int((number * Double(scale)).rounded())
    guard places > 0 else { return "\(whole)" }
    let fraction = "\(abs(whole) % scale)"
    let sign = whole < 0 ? "-" : ""
    return "\(sign)\(abs(whole) / scale)." + fraction.zeroPadded(to: places)
}
