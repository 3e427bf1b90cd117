// SPDX-License-Identifier: MIT

/// Results as rows of text, whoever shows them.
public struct ResultTable: Sendable, Hashable {
    /// The columns' names.
    public var head: [String]
    /// A point's cells each, without units.
    public var rows: [[String]]
    /// Each point's share of the best rate, for a bar behind ``barred``.
    public var shares: [Double]
    /// The column that the bars belong to.
    public var barred: Int
    /// The columns that are words and no numbers.
    public var words: Set<Int>
}

/// A number as people read it: one place behind the point below a hundred, two below one, none above.
func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "0" }
    let places = abs(number) >= 99.95 ? 0 : abs(number) >= 0.995 || number == 0 ? 1 : 2
    let scale = [1, 10, 100][places]
    let whole = Int((number * Double(scale)).rounded())
    guard places > 0 else { return "\(whole)" }
    let fraction = "\(abs(whole) % scale)"
    let sign = whole < 0 ? "-" : ""
    return "\(sign)\(abs(whole) / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
}
