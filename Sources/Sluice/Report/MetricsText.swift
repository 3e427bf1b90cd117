// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Prometheus' text format: for each metric what it is, its type, and its samples.
struct MetricsText {
    /// What a metric's value may do.
    enum Kind: String {
        /// Only grow, within a run.
        case counter
        /// Go up and down.
        case gauge
    }

    /// The upper bounds of a histogram's buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private(set) var text = ""

    /// Adds a metric with one value.
    mutating func add(
        _ name: String, _ help: String, _ kind: Kind, _ value: Double, _ labels: KeyValuePairs<String, String> = [:]
    ) {
        head(name, help, kind.rawValue)
        sample(name, labels.map { ($0.key, $0.value) }, Self.number(value))
    }

    /// Adds a metric with a value for each of some words.
    mutating func add(_ name: String, _ help: String, _ kind: Kind, _ values: [(String, Int)], by label: String) {
        head(name, help, kind.rawValue)
        for (word, value) in values { sample(name, [(label, word)], "\(value)") }
    }

    /// Adds a histogram of times for each of some words.
    mutating func add(_ name: String, _ help: String, _ values: [(String, Histogram)], by label: String) {
        head(name, help, "histogram")
        for (word, times) in values {
            for bound in Self.bounds {
                let count = times.count(upTo: .microseconds(Int64((bound * 1e6).rounded())))
                sample("\(name)_bucket", [(label, word), ("le", Self.number(bound))], "\(count)")
            }
            sample("\(name)_bucket", [(label, word), ("le", "+Inf")], "\(times.count)")
            sample("\(name)_sum", [(label, word)], Self.number(times.sum.inSeconds))
            sample("\(name)_count", [(label, word)], "\(times.count)")
        }
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        let words = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += words.isEmpty ? "\(name) \(value)\n" : "\(name){\(words)} \(value)\n"
    }

    /// Whole numbers without a point.
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
