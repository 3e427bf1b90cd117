// SPDX-License-Identifier: MIT

internal import SluiceFiles

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
