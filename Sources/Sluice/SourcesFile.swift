// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceModel

/// A file of SOURCE arguments: one on each line; blank lines and lines that begin with `#` are skipped.
package enum SourcesFile {
    /// The maximum size in bytes.
    private static let sizeLimit = 16 << 20
    /// The maximum number of sources, each of which is opened when the run begins.
    private static let countLimit = 100_000

    /// Reads a file, or standard input for `-`; throws if no line names a source that can be opened.
    package static func read(_ path: String) throws(MirrorError) -> [String] {
        let name = path == "-" ? "standard input" : "'\(path)'"
        guard let text = String(validating: try bytes(of: path, named: name), as: UTF8.self) else {
            throw MirrorError(.usage, "cannot read sources from \(name): it is not UTF-8 text")
        }
        var (sources, firstError): ([String], MirrorError?) = ([], nil)
        var hasReadable = false
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let source = line.trimmed
            guard !source.isEmpty, !source.hasPrefix("#") else { continue }
            do throws(SourceError) {
                _ = try Source(source)
                hasReadable = true
            } catch {
                let reason = "line \(index + 1): \(error.message)"
                firstError = firstError ?? MirrorError(.usage, "cannot read sources from \(name): \(reason)")
            }
            guard path != "-" || source != "-" else {
                throw MirrorError(
                    .usage, "cannot read sources from \(name): line \(index + 1): standard input has the sources")
            }
            sources.append(source)
        }
        if let firstError, !hasReadable { throw firstError }
        guard !sources.isEmpty else { throw MirrorError(.usage, "cannot read sources from \(name): it names none") }
        guard sources.count <= countLimit else {
            throw MirrorError(.usage, "cannot read sources from \(name): more than \(countLimit) sources")
        }
        return sources
    }

    private static func bytes(of path: String, named name: String) throws(MirrorError) -> [UInt8] {
        do throws(FileError) {
            var file = try InputFile(path)
            let bytes = try file.readRest(limit: sizeLimit)
            if bytes.count <= sizeLimit { return bytes }
        } catch {
            throw MirrorError(.usage, "cannot read sources from \(name): \(error.reason)")
        }
        throw MirrorError(.usage, "cannot read sources from \(name): larger than \(sizeLimit >> 20) MB")
    }
}
