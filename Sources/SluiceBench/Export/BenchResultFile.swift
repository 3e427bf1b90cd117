// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Benchmark results that were exported as JSON, with the parts that a comparison needs.
package struct BenchResultFile: Sendable {
    /// The kind of benchmark: `loader`, or that of an older version.
    let kind: String
    /// The machine and the other conditions, as stored in the file.
    let conditions: [String: JSON]
    let points: [(name: String, rates: [Double])]

    /// Reads a file written by ``LoaderReport/export(as:to:)``.
    package init(_ path: String) throws(BenchError) {
        try self.init(Self.bytes(of: path), from: path)
    }

    init(_ bytes: [UInt8], from path: String) throws(BenchError) {
        let json = try Self.parsed(bytes, from: path)
        guard json["schema"]?.integer == 1, let kind = json["kind"]?.text, let points = json["points"]?.elements else {
            throw BenchError(
                .usage, "cannot read results from '\(path)': not the results of a benchmark", hint: .exportResults)
        }
        self.kind = kind
        conditions = ["host", "origin", "addresses"].reduce(into: [:]) { $0[$1] = json[$1] }
        self.points = points.compactMap { point in
            guard let name = point["name"]?.text, let rates = point["rates"]?.elements else { return nil }
            return (name, rates.compactMap(\.double))
        }
    }

    private static func parsed(_ bytes: [UInt8], from path: String) throws(BenchError) -> JSON {
        do throws(InvalidText) {
            return try JSON(parsing: bytes)
        } catch {
            throw BenchError(.usage, "cannot read results from '\(path)': not JSON: \(error)")
        }
    }

    private static func bytes(of path: String) throws(BenchError) -> [UInt8] {
        do throws(FileError) {
            var file = try InputFile(path)
            return try file.readRest(limit: .max)
        } catch {
            throw BenchError(.usage, "\(error)")
        }
    }
}
