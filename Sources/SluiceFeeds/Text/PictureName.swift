// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The names at the end of addresses and paths.
enum PictureName {
    private static let extensions = Set<Substring>(
        StoredFormat.all.map { Substring($0.fileExtension) } + ["jpeg", "jpe", "jfif", "heif"])

    /// Whether a text may contain the address of a picture.
    static func mayOccur(in text: String) -> Bool {
        var rest = text.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[dot...].dropFirst()
            if extensions.contains(Substring(rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })) {
                return true
            }
        }
        return false
    }

    /// Whether an address ends like a format that is used for drawings more than for photos.
    static func isDrawn(_ address: String) -> Bool {
        let ending = pathExtension(of: lastComponent(of: address))
        return StoredFormat.usedForDrawings.contains { $0.fileExtension == ending }
    }

    /// Whether a text is an extension of pictures.
    static func isExtension(_ text: Substring) -> Bool { extensions.contains(text) }

    /// Whether an address ends like the file of a picture rather than a page about one (`/wiki/File:a.jpg`).
    static func isPicture(_ address: String) -> Bool {
        let name = lastComponent(of: address)
        return extensions.contains(pathExtension(of: name)) && !name.contains(":") && !name.hasPrefix("File%3A")
    }

    /// Returns the last component of an address, without query and fragment; a query that is a path counts as one.
    static func lastComponent(of address: String) -> Substring {
        var path = address.prefix { $0 != "?" && $0 != "#" }
        let query = address[path.endIndex...]
        if query.hasPrefix("?/") { path = query.dropFirst().prefix { $0 != "&" && $0 != "#" } }
        return path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    }

    /// Returns the extension of a name in lower case, without its dot.
    static func pathExtension(of name: Substring) -> Substring {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return Substring(name[name.index(after: dot)...].lowercased())
    }
}
