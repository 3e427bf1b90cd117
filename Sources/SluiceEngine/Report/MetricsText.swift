// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Builds text in Prometheus' exposition format: for each metric its help, its type and its samples.
struct MetricsText {
    enum Kind: String {
        /// A value that only increases during a run.
        case counter
        /// A value that rises and falls.
        case gauge
    }

    /// The upper bounds of a histogram's buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private(set) var text = ""
    private let labels: [(String, String)]

    /// Starts a text; the labels tell processes apart whose files are read together.
    init(labels: KeyValuePairs<String, String> = [:]) { self.labels = labels.map { ($0.key, $0.value) } }

    mutating func add(
        _ name: String, _ help: String, _ kind: Kind, _ value: Double, _ labels: KeyValuePairs<String, String> = [:]
    ) {
        header(name, help, kind.rawValue)
        sample(name, labels.map { ($0.key, $0.value) }, Self.number(value))
    }

    /// Adds a metric with one sample for each value of a label.
    mutating func add(_ name: String, _ help: String, _ kind: Kind, _ values: [(String, Int)], by label: String) {
        header(name, help, kind.rawValue)
        for (labelValue, value) in values { sample(name, [(label, labelValue)], "\(value)") }
    }

    /// Adds a histogram of durations for each value of a label.
    mutating func add(_ name: String, _ help: String, _ values: [(String, Histogram)], by label: String) {
        header(name, help, "histogram")
        for (labelValue, times) in values {
            for bound in Self.bounds {
                let count = times.count(upTo: .microseconds(Int64((bound * 1e6).rounded())))
                sample("\(name)_bucket", [(label, labelValue), ("le", Self.number(bound))], "\(count)")
            }
            sample("\(name)_bucket", [(label, labelValue), ("le", "+Inf")], "\(times.count)")
            sample("\(name)_sum", [(label, labelValue)], Self.number(times.sum.inSeconds))
            sample("\(name)_count", [(label, labelValue)], "\(times.count)")
        }
    }

    private mutating func header(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        let list = (self.labels + labels).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }

    /// Formats a number; whole numbers have no decimal point.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n", "\r": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
