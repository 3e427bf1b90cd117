// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel

extension GalleryLook {
    private static let longestStyle = 1 << 20

    /// The style sheet in a file of the user's.
    public static func style(in path: String) throws(MirrorError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try beginning(of: path)
        } catch {
            throw MirrorError(.usage, "\(error): give a style sheet's file")
        }
        guard bytes.count <= longestStyle, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else {
            throw MirrorError(.usage, "\(path) is no style sheet: it must be text in UTF-8, of a megabyte at most")
        }
        return text
    }

    /// A file's bytes, as far as they can be a style sheet, and one more piece.
    private static func beginning(of path: String) throws(FileError) -> [UInt8] {
        var file = try InputFile(path)
        var bytes: [UInt8] = []
        while bytes.count <= longestStyle {
            let more = try file.read(1 << 16)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
