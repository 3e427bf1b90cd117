// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles

/// A file of SOURCE arguments: one on each line; blank lines and lines that begin with `#` are skipped.
package enum SourcesFile {
    /// The maximum size in bytes.
    private static let sizeLimit = 16 << 20
    /// The maximum number of sources, each of which is opened when the run begins.
    private static let countLimit = 100_000

    /// Reads a file, or standard input for `-`; throws for the first line that names no source.
    package static func read(_ path: String) throws(MirrorError) -> [String] {
        let name = path == "-" ? "standard input" : "'\(path)'"
        guard let text = String(validating: try bytes(of: path, named: name), as: UTF8.self) else {
            throw MirrorError(.usage, "cannot read sources from \(name): it is not UTF-8 text")
        }
        var sources: [String] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let source = trimmed(line)
            guard !source.isEmpty, !source.hasPrefix("#") else { continue }
            do throws(SourceError) {
                guard path != "-" || source != "-" else { throw SourceError("standard input has the sources") }
                _ = try Source(source)
            } catch {
                throw MirrorError(.usage, "cannot read sources from \(name): line \(index + 1): \(error.message)")
            }
            sources.append(source)
        }
        guard !sources.isEmpty else { throw MirrorError(.usage, "cannot read sources from \(name): it names none") }
        guard sources.count <= countLimit else {
            throw MirrorError(.usage, "cannot read sources from \(name): more than \(countLimit) sources")
        }
        return sources
    }

    private static func bytes(of path: String, named name: String) throws(MirrorError) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(FileError) {
            var file = try InputFile(path)
            while bytes.count <= sizeLimit {
                let more = try file.read(1 << 16)
                guard !more.isEmpty else { return bytes }
                bytes += more
            }
        } catch {
            throw MirrorError(.usage, "cannot read sources from \(name): \(error.reason)")
        }
        throw MirrorError(.usage, "cannot read sources from \(name): larger than \(sizeLimit >> 20) MB")
    }

    private static func trimmed(_ line: Substring) -> String {
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
