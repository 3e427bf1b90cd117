// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles

extension PhotoMirror {
    /// The largest file of pairs that is read; a line takes 130 bytes.
    private static let maxIgnoredBytes = 256 << 20

    /// Reads pairs of photos that are no copies from a text file, see ``IgnoredPairs``.
    package static func ignoredPairs(in path: String) throws(MirrorError) -> IgnoredPairs {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).readAll(limit: maxIgnoredBytes)
        } catch {
            throw MirrorError(.usage, "cannot read '\(path)': \(error.reason)")
        }
        do throws(InvalidText) {
            return try IgnoredPairs(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw MirrorError(.usage, "cannot read '\(path)': \(error)")
        }
    }
}
