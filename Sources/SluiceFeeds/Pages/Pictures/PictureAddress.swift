// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The address of a picture, and the picture that it is a rendition of.
///
/// Sites write the size of a rendition into its address: `a-300x200.jpg`, `a.jpg?w=300`, `/thumb/a.jpg/300px-a.jpg`.
struct PictureAddress {
    /// The address without what depends on the rendition; equal for all renditions of a picture.
    let key: String
    /// The width in the address.
    let width: Int?
    /// Whether the address asks for a smaller rendition.
    let isReduced: Bool

    private static let vectors: Set<Substring> = ["svg", "svgz", "ico", "cur"]
    private static let widthNames: Set<Substring> = ["w", "width", "imwidth", "resize", "fit"]
    private static let otherNames: Set<Substring> = [
        "h", "height", "imheight", "q", "quality", "crop", "auto", "fm", "format", "dpr", "strip", "ssl", "zoom",
        "sharp", "cs", "ixlib", "ixid", "mode", "scale",
    ]

    /// Whether an address ends like a drawing or a site's icon, which are no photos.
    static func isVector(_ address: String) -> Bool {
        vectors.contains(PictureName.pathExtension(of: PictureName.lastComponent(of: address)))
    }

    /// Finds the picture of an absolute address.
    init(_ address: String) {
        let body = address.prefix { $0 != "#" }
        let path = body.prefix { $0 != "?" }
        let query = body.dropFirst(path.count + 1)
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
        var (width, isReduced): (Int?, Bool) = (nil, false)
        // WordPress sends pictures of any site through these hosts.
        if let host = parts.first, host.hasSuffix(".wp.com"), host.first == "i", parts.count > 2 { parts.removeFirst() }
        Self.removeThumbnail(from: &parts, &width, &isReduced)
        Self.removeSizeComponent(from: &parts, &width, &isReduced)
        if let last = parts.popLast() { parts.append(Self.withoutSize(last, &width, &isReduced)) }
        var kept: [Substring] = []
        for pair in query.split(separator: "&").prefix(64) {
            let name = pair.prefix { $0 != "=" }
            let isWidth = Self.widthNames.contains(name)
            guard isWidth || Self.otherNames.contains(name) else {
                kept.append(pair)
                continue
            }
            let number = Int(pair.dropFirst(name.count + 1).prefix { $0.isASCII && $0.isNumber })?.within(
                Quantity.sides)
            if isWidth, let number, number > 1 { (width, isReduced) = (width ?? number, true) }
            if ["h", "height"].contains(name) { isReduced = true }
        }
        key = parts.joined(separator: "/") + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        (self.width, self.isReduced) = (width, isReduced)
    }

    /// MediaWiki: `/thumb/a/ab/NAME.jpg/300px-NAME.jpg` is a rendition of `/a/ab/NAME.jpg`.
    private static func removeThumbnail(
        from parts: inout ArraySlice<Substring>, _ width: inout Int?, _ isReduced: inout Bool
    ) {
        guard let last = parts.last, let index = parts.firstIndex(of: "thumb"), parts.count > 3 else { return }
        let digits = last.drop { $0.isLetter || $0 == "-" }.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits)?.within(Quantity.sides), last.contains("\(digits)px-") else { return }
        parts.removeLast()
        parts.remove(at: index)
        (width, isReduced) = (number, true)
    }

    /// Blogger and Google: `/s1600/` or `/w640-h400/` before the name.
    private static func removeSizeComponent(
        from parts: inout ArraySlice<Substring>, _ width: inout Int?, _ isReduced: inout Bool
    ) {
        guard let host = parts.first,
            host.hasSuffix(".blogspot.com") || host.hasSuffix(".googleusercontent.com"),
            let index = parts.lastIndex(where: { part in
                guard let first = part.first, "swh".contains(first) else { return false }
                return part.dropFirst().first?.isNumber == true
            })
        else { return }
        width = Int(parts[index].dropFirst().prefix { $0.isASCII && $0.isNumber })?.within(Quantity.sides)
        isReduced = true
        parts.remove(at: index)
    }

    /// WordPress: `NAME-300x200.jpg`; Shopify: `NAME_600x.jpg`.
    private static func withoutSize(_ name: Substring, _ width: inout Int?, _ isReduced: inout Bool) -> Substring {
        guard let dot = name.lastIndex(of: "."),
            let mark = name[..<dot].lastIndex(where: { $0 == "-" || $0 == "_" })
        else { return name }
        let size = name[name.index(after: mark)..<dot].split(separator: "x", omittingEmptySubsequences: false)
        guard size.count == 2, let number = Int(size[0])?.within(Quantity.sides),
            size[1].isEmpty || Int(size[1]) != nil,
            (2...4).contains(size[0].count), size[1].count <= 4
        else { return name }
        (width, isReduced) = (width ?? number, true)
        return name[..<mark] + name[dot...]
    }
}
