// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel

extension GalleryAppearance {
    private static let maximumStyleSize = 1 << 20

    /// Reads a style sheet from a file.
    ///
    /// It must be UTF-8 text of at most one megabyte.
    package static func style(in path: String) throws(MirrorError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readPrefix(of: path)
        } catch {
            throw MirrorError(.usage, "cannot read style sheet '\(path)': \(error.reason)")
        }
        guard bytes.count <= maximumStyleSize, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else {
            throw MirrorError(
                .usage, "cannot use '\(path)' as a style sheet: it must be UTF-8 text of at most one megabyte")
        }
        return text
    }

    /// Reads a file, but not much more than a style sheet may have.
    private static func readPrefix(of path: String) throws(FileError) -> [UInt8] {
        var file = try InputFile(path)
        return try file.readRest(limit: maximumStyleSize)
    }
}
