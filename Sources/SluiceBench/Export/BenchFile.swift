// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Results that were exported as JSON, as far as a comparison needs them.
public struct BenchFile: Sendable {
    /// What was measured.
    let kind: String
    /// What it was measured on and with, as the file has it.
    let conditions: [String: JSON]
    /// Each point's name and samples.
    let points: [(name: String, rates: [Double])]

    /// Reads a file that ``BenchReport/export(as:to:)`` wrote.
    public init(_ path: String) throws(BenchError) {
        try self.init(Self.bytes(of: path), from: path)
    }

    init(_ bytes: [UInt8], from path: String) throws(BenchError) {
        let json = try Self.parsed(bytes, from: path)
        guard json["schema"]?.integer == 1, let kind = json["kind"]?.text, let points = json["points"]?.elements else {
            throw BenchError(.usage, "\(path) is no result of `sluice bench --export-json`")
        }
        self.kind = kind
        conditions = ["host", "origin", "recording", "set", "addresses"].reduce(into: [:]) { $0[$1] = json[$1] }
        self.points = points.compactMap { point in
            guard let name = point["name"]?.text, let rates = point["rates"]?.elements else { return nil }
            return (name, rates.compactMap(\.double))
        }
    }

    private static func parsed(_ bytes: [UInt8], from path: String) throws(BenchError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: bytes)
        } catch {
            throw BenchError(.usage, "\(path) is no JSON: \(error)")
        }
    }

    static func bytes(of path: String) throws(BenchError) -> [UInt8] {
        do throws(FileError) {
            var file = try InputFile(path)
            var bytes: [UInt8] = []
            while true {
                let more = try file.read(1 << 20)
                if more.isEmpty { return bytes }
                bytes += more
            }
        } catch {
            throw BenchError(.usage, "\(error)")
        }
    }
}
