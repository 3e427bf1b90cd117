// SPDX-License-Identifier: MIT

internal import SluiceFiles

extension LoaderBenchOptions {
    /// What is swept of strangers' hosts, unless the user says more.
    public static let politeConcurrency = [1, 2, 4, 8, 16]

    /// The addresses in a file, one a line; empty lines and those that begin with `#` are passed over.
    public static func addresses(inFile path: String) throws(BenchError) -> [String] {
        do throws(FileError) {
            var lines = InputLines(try InputFile(path))
            var addresses: [String] = []
            while let line = try lines.next() {
                let text = String(decoding: line.filter { $0 > 0x20 }, as: UTF8.self)
                if !text.isEmpty, !text.hasPrefix("#") { addresses.append(text) }
            }
            return addresses
        } catch {
            throw BenchError(.usage, "cannot read the list of --against: \(error)")
        }
    }
}
