// SPDX-License-Identifier: MIT

internal import SluiceModel

extension JSON {
    /// The number that a number states; `nil` where there is none.
    var double: Double? { text.flatMap { Double($0) } }

    /// The member's number.
    func number(_ name: String) throws(BenchError) -> Double {
        guard let number = self[name]?.double else { throw BenchError(.usage, "there is no number `\(name)`") }
        return number
    }

    /// The member's whole number.
    func count(_ name: String) throws(BenchError) -> Int {
        guard let number = self[name]?.integer else { throw BenchError(.usage, "there is no whole number `\(name)`") }
        return number
    }

    /// The member's text.
    func string(_ name: String) throws(BenchError) -> String {
        guard let text = self[name]?.text else { throw BenchError(.usage, "there is no text `\(name)`") }
        return text
    }

    /// The member's elements.
    func list(_ name: String) throws(BenchError) -> [JSON] {
        guard let elements = self[name]?.elements else { throw BenchError(.usage, "there is no list `\(name)`") }
        return elements
    }
}

extension Duration {
    /// The time as a number of seconds.
    var seconds: Double { self / .seconds(1) }

    /// The time as a number of milliseconds.
    var milliseconds: Double { self / .milliseconds(1) }
}
