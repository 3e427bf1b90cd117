// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Results as rows of text, independent of the output format.
package struct ResultTable: Sendable, Hashable {
    /// The column names.
    package var head: [String]
    /// The cells of each point, without units.
    package var rows: [[String]]
    /// The share of the best rate of each point, shown as a bar after ``barColumn``.
    package var shares: [Double]
    /// The index of the column that the bars belong to.
    package var barColumn: Int
    /// The indices of the columns that contain text instead of numbers.
    package var textColumns: Set<Int>
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
