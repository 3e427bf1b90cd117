// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

extension JSON {
    /// The value as a number; `nil` if it is not one.
    var double: Double? { text.flatMap { Double($0) } }

    /// Returns a member that must be a number.
    func number(_ name: String) throws(BenchError) -> Double {
        guard let number = self[name]?.double else {
            throw BenchError(.usage, "cannot read the member '\(name)': not a number")
        }
        return number
    }

    /// Returns a member that must be an integer.
    func count(_ name: String) throws(BenchError) -> Int {
        guard let number = self[name]?.integer else {
            throw BenchError(.usage, "cannot read the member '\(name)': not an integer")
        }
        return number
    }

    /// Returns a member that must be a string.
    func string(_ name: String) throws(BenchError) -> String {
        guard let text = self[name]?.text else {
            throw BenchError(.usage, "cannot read the member '\(name)': not a string")
        }
        return text
    }

    /// Returns the elements of a member that must be an array.
    func list(_ name: String) throws(BenchError) -> [JSON] {
        guard let elements = self[name]?.elements else {
            throw BenchError(.usage, "cannot read the member '\(name)': not an array")
        }
        return elements
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }

    var milliseconds: Double { self / .milliseconds(1) }
}

/// Reads a file line by line.
struct LineReader: ~Copyable {
    private var file: InputFile
    private var rest: [UInt8] = []

    init(_ file: consuming InputFile) { self.file = file }

    /// Returns the next line without its terminator; `nil` at the end of the file.
    mutating func next() throws(FileError) -> [UInt8]? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeFirst(end + 1)
                return line
            }
            let more = try file.read(1 << 16)
            guard !more.isEmpty else { return nil }
            rest += more
        }
    }
}
