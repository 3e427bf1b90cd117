// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The address of a picture, and the picture that it is a rendition of.
///
/// Sites write the size of a rendition into its address: `a-300x200.jpg`, `a.jpg?w=300`, `/w_300,c_fill/a.jpg`.
struct PictureAddress {
    /// The address without what depends on the rendition; equal for all renditions of a picture.
    private(set) var key = ""
    /// The width in the address.
    private(set) var width: Int?
    /// The size in the address, if it is a word: 1 for thumbnails, more for larger renditions.
    private(set) var scale = 0
    /// Whether the address asks for a smaller rendition.
    private(set) var isReduced = false
    /// The address of the file that the rendition is made from, where a program's addresses show it.
    private(set) var original: String?
    private var isPiwigo = false

    private static let vectors: Set<Substring> = ["svg", "svgz", "ico", "cur"]
    private static let widthNames: Set<Substring> = [
        "w", "width", "imwidth", "resize", "fit", "wid", "sw", "dw", "maxwidth", "max-w", "size", "format",
    ]
    private static let otherNames: Set<Substring> = [
        "h", "height", "imheight", "q", "quality", "crop", "auto", "fm", "dpr", "strip", "ssl", "zoom", "sharp", "cs",
        "ixlib", "ixid", "mode", "scale", "hei", "sh", "itok", "rect", "impolicy", "ar", "qlt", "fp-x", "fp-y",
        "im", "imgsize", "maxheight", "sharpen", "upscale", "enlarge", "usm", "op_usm", "compress", "type", "lossless",
        "optimize",
    ]
    /// The folders and endings of names that state a size, and how large it is.
    private static let scales: [Substring: Int] = [
        "thumb": 1, "thumbs": 1, "thumbnail": 1, "thumbnails": 1, "small": 2, "preview": 3, "previews": 3, "medium": 3,
        "large": 4, "grande": 4, "xlarge": 5, "scaled": 5,
    ]
    /// The endings of the names of Piwigo's renditions.
    private static let piwigoScales: [Substring: Int] = [
        "sq": 1, "th": 1, "2s": 2, "xs": 2, "sm": 2, "me": 3, "la": 4, "xl": 5, "xx": 6, "3x": 7, "4x": 8,
    ]
    /// The beginnings of names that state a size.
    private static let prefixes: [Substring: Int] = ["thumb": 1, "thumbnail": 1, "tn": 1, "normal": 3]
    /// Words for the file that renditions are made from.
    private static let originals: Set<Substring> = ["original", "originals", "full", "fullsize", "orig"]

    /// Whether an address ends like a drawing or a site's icon, which are no photos.
    static func isVector(_ address: String) -> Bool {
        vectors.contains(PictureName.pathExtension(of: PictureName.lastComponent(of: address)))
    }

    /// Finds the picture of an absolute address.
    init(_ address: String) {
        var body = address.prefix { $0 != "#" }
        // Services that resize pictures of any site have the picture's address in their own.
        if let inner = Self.innerAddress(of: body) {
            _ = readQuery(body.drop { $0 != "?" }.dropFirst())
            (body, isReduced) = (inner[...], true)
        }
        let path = body.prefix { $0 != "?" }
        var parts = path.replacing("%2C", with: ",").split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            2)
        if let host = parts.first, host.hasSuffix(".wp.com"), host.first == "i", parts.count > 2 {
            parts.removeFirst()
        }
        isPiwigo = removePiwigo(from: &parts, query: body.dropFirst(path.count + 1))
        if removeThumbnail(from: &parts) {
            original = "\(address.prefix { $0 != "/" })//\(parts.joined(separator: "/"))"
        }
        removeFolders(from: &parts)
        if let last = parts.popLast() { parts.append(withoutSize(last)) }
        var kept = isPiwigo ? [] : readQuery(body.dropFirst(path.count + 1))
        // A service signs the parameters of a file.
        if isReduced, parts.last.map({ PictureName.isPicture(String($0)) }) == true {
            kept.removeAll(where: Self.isSignature)
        }
        key = parts.joined(separator: "/") + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// Replaces the parts of the key that are patterns of renditions on the page.
    mutating func apply(_ patterns: RenditionPatterns) {
        key = patterns.masked(key)
    }

    /// Returns the address in a path or a parameter, such as `/image?url=https%3A%2F%2Fa.test%2Fb.jpg&w=640`, also one
    /// on the same site (`/image.php?src=/b.jpg`).
    private static func innerAddress(of address: Substring) -> String? {
        let rest = address.dropFirst(8)
        let start = ["http://", "https://", "http%3A%2F%2F", "https%3A%2F%2F"].lazy.compactMap {
            rest.firstRange(of: $0)?.lowerBound
        }.min()
        guard let start else { return innerPath(of: address) }
        let isParameter = rest[..<start].contains("?")
        let text = rest[start...].prefix { !isParameter || $0 != "&" }
        return text.contains("%") ? String(validating: text.utf8.percentDecoded, as: UTF8.self) : String(text)
    }

    private static func innerPath(of address: Substring) -> String? {
        for pair in address.drop(while: { $0 != "?" }).dropFirst().split(separator: "&").prefix(64) {
            let value = pair.drop { $0 != "=" }.dropFirst()
            guard value.first == "/" || value.hasPrefix("%2F"), !value.hasPrefix("//"),
                let path = String(validating: value.utf8.percentDecoded, as: UTF8.self), PictureName.isPicture(path)
            else { continue }
            return address.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//") + path
        }
        return nil
    }

    /// Reads the parameters of a rendition, and returns the others.
    private mutating func readQuery(_ query: Substring) -> [Substring] {
        var kept: [Substring] = []
        for text in query.split(separator: "&").prefix(64) {
            // Some pages escape the separator twice.
            let pair = text.hasPrefix("amp;") ? text.dropFirst(4) : text
            let name = pair.prefix { $0 != "=" }
            let isWidth = Self.widthNames.contains(name)
            guard isWidth || Self.otherNames.contains(name) else {
                if pair.first != "$" { kept.append(pair) }
                continue
            }
            let number = Int(pair.dropFirst(name.count + 1).prefix { $0.isASCII && $0.isNumber })?.within(
                Quantity.sides)
            if isWidth, let number, number > 1 { add(width: number) }
            if ["h", "height"].contains(name) { isReduced = true }
        }
        return kept
    }

    private static func isSignature(_ pair: Substring) -> Bool {
        let value = pair.drop { $0 != "=" }.dropFirst()
        return value.count >= 20 && value.allSatisfy { $0.isLetter || $0.isNumber || "-_=".contains($0) }
    }

    private mutating func add(width number: Int?) { (width, isReduced) = (width ?? number, true) }

    private mutating func add(scale number: Int) { (scale, isReduced) = (max(scale, number), true) }

    /// Piwigo: `/i.php?/upload/NAME-la.jpg` and `/_data/i/upload/NAME-la.jpg` are renditions of `/upload/NAME.jpg`.
    private func removePiwigo(from parts: inout ArraySlice<Substring>, query: Substring) -> Bool {
        if let index = parts.firstIndex(of: "_data"), parts[(index + 1)...].first == "i" {
            parts.removeSubrange(index...index + 1)
            return true
        }
        guard parts.last == "i.php", query.first == "/" else { return false }
        parts = parts.dropLast() + query.split(separator: "/")
        return true
    }

    /// MediaWiki: `/thumb/a/ab/NAME.jpg/300px-NAME.jpg` is a rendition of `/a/ab/NAME.jpg`.
    ///
    /// Coppermine: `/albums/a/normal_NAME.jpg` and `/albums/a/thumb_NAME.jpg` are renditions of `/albums/a/NAME.jpg`.
    private mutating func removeThumbnail(from parts: inout ArraySlice<Substring>) -> Bool {
        guard let last = parts.last, parts.count > 3 else { return false }
        if parts.contains("albums"), let mark = last.firstIndex(of: "_"), ["normal", "thumb"].contains(last[..<mark]) {
            parts[parts.endIndex - 1] = last[last.index(after: mark)...]
            add(scale: last.hasPrefix("n") ? 3 : 1)
            return true
        }
        let digits = last.drop { $0.isLetter || $0 == "-" }.prefix { $0.isASCII && $0.isNumber }
        guard let index = parts.firstIndex(of: "thumb"), let number = Int(digits)?.within(Quantity.sides),
            last.contains("\(digits)px-")
        else { return false }
        parts.removeLast()
        parts.remove(at: index)
        add(width: number)
        return !Self.isVector(String(parts.last ?? ""))
    }

    /// Removes the folders that state a size or a transformation.
    private mutating func removeFolders(from parts: inout ArraySlice<Substring>) {
        guard let host = parts.first, parts.count > 2 else { return }
        // IIIF: `/REGION/SIZE/ROTATION/default.jpg`.
        if parts.count > 5, let name = parts.last, name.hasPrefix("default.") || name.hasPrefix("native.") {
            let size = parts.dropLast(2).last ?? ""
            add(width: Int(size.prefix { $0.isNumber })?.within(Quantity.sides))
            isReduced = !["max", "full"].contains(size)
            parts = parts.dropLast(4) + [name]
            return
        }
        let isBlog = host.hasSuffix(".blogspot.com") || host.hasSuffix(".googleusercontent.com")
        let folders = Array(parts.dropFirst().dropLast())
        var (kept, index): ([Substring], Int) = ([host], 0)
        while index < folders.count {
            let folder = folders[index]
            let next = index + 1 < folders.count ? folders[index + 1] : ""
            index += 1
            if folder == "styles", index + 1 < folders.count {
                // Drupal: `/styles/NAME/public/`.
                // A density or a ratio has one digit or two: `teaser_2x_880x596`.
                add(width: next.split { !$0.isNumber }.first { (3...4).contains($0.count) }.flatMap { Int($0) })
                index += 2
            } else if ["max", "ws", "width", "scale-to-width-down", "scale-to-width"].contains(folder),
                let number = Int(next)?.within(Quantity.sides)
            {
                add(width: number)
                index += 1
            } else if let number = Self.scales[folder] {
                add(scale: number)
            } else if Self.originals.contains(folder) || folder == "fit-in" || folder == "smart"
                || folder.count == 28 && folder.last == "="
            {
                continue
            } else if isBlog, let size = Self.blogSize(folder) {
                add(width: size)
            } else if let size = Self.size(folder) ?? Self.transformation(folder) ?? Self.beginningSize(folder) {
                add(width: size == 0 ? nil : size)
            } else {
                kept.append(folder)
            }
        }
        parts = ArraySlice(kept + parts.suffix(1))
    }

    /// Blogger and Google: `s1600` or `w640-h400`.
    private static func blogSize(_ folder: Substring) -> Int? {
        guard let first = folder.first, "swh".contains(first) else { return nil }
        return Int(folder.dropFirst().prefix { $0.isASCII && $0.isNumber })?.within(Quantity.sides)
    }

    /// Returns the width of `w640` or of a text that begins with a size: `300x200_crop`, `w1000_h500`.
    private static func beginningSize(_ text: Substring) -> Int? {
        guard let first = text.split(separator: "_").first, first.count < text.count || first.first == "w" else {
            return nil
        }
        if let size = size(first) { return size }
        let digits = first.dropFirst()
        guard first.first == "w", (3...4).contains(digits.count) else { return nil }
        return Int(digits)?.within(Quantity.sides)
    }

    /// Returns the width of `300x200` or `600x`; zero for a ratio such as `16:9`; `nil` for another text.
    private static func size(_ text: Substring) -> Int? {
        let sides = text.split(omittingEmptySubsequences: false) { "xX*".contains($0) }
        if sides.count == 2, (2...4).contains(sides[0].count), let width = Int(sides[0])?.within(Quantity.sides),
            sides[1].isEmpty || sides[1].count <= 4 && (Int(sides[1]) != nil || sides[1] == "AUTO")
        {
            return width
        }
        let ratio = text.split(separator: ":", omittingEmptySubsequences: false)
        return ratio.count == 2 && ratio.allSatisfy { $0.count <= 2 && Int($0) != nil } ? 0 : nil
    }

    /// Returns the width of parameters such as `c_fill,w_300` or `resize:fit:1400`, or zero; `nil` for another text.
    private static func transformation(_ text: Substring) -> Int? {
        if text.hasPrefix("resize:") || text.hasPrefix("rs:") {
            return text.split(separator: ":").lazy.compactMap { Int($0)?.within(Quantity.sides) }.first ?? 0
        }
        if text.hasPrefix("filters:") { return 0 }
        var (width, isSure): (Int, Bool) = (0, false)
        for pair in text.split(separator: ",") {
            guard let mark = pair.firstIndex(where: { "_=:".contains($0) }), pair.first?.isLetter == true else {
                return nil
            }
            let (name, value) = (pair[..<mark], pair[pair.index(after: mark)...])
            guard name.count <= 2 || ["width", "height", "quality", "format", "fit", "dpr"].contains(name) else {
                return nil
            }
            let number = Int(value)?.within(Quantity.sides)
            if name == "w" || name == "width", let number { width = number }
            isSure =
                isSure || ["w", "h", "width", "height"].contains(name) && (number ?? 0) > 9
                || name == "c" && ["fill", "fit", "limit", "scale", "thumb", "crop", "pad", "lfill"].contains(value)
                || ["q", "f"].contains(name) && (value == "auto" || PictureName.isExtension(value))
        }
        return isSure ? width : nil
    }

    /// Removes the size from a name: `NAME-300x200.jpg`, `NAME_600x.jpg`, `NAME_thumb.jpg`, `thumb_NAME.jpg`,
    /// `NAME@2x.jpg`, `NAME._SX300_.jpg`.
    private mutating func withoutSize(_ name: Substring) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        var stem = name[..<dot]
        // `NAME.jpg.webp` is made from `NAME.jpg`.
        if PictureName.isExtension(PictureName.pathExtension(of: stem)),
            PictureName.isExtension(name[dot...].dropFirst())
        {
            return withoutSize(stem)
        }
        if stem.last == "_", let start = stem.firstRange(of: "._")?.lowerBound {
            let digits = stem[start...].drop { !$0.isNumber }.prefix { $0.isNumber }
            add(width: Int(digits)?.within(Quantity.sides))
            stem = stem[..<start]
        }
        if stem.hasSuffix("@2x") { stem = stem.dropLast(3) }
        // A name may have several: `lake-scaled-e1547572132906-150x150.jpg`.
        while let mark = stem.lastIndex(where: { $0 == "-" || $0 == "_" }), mark > stem.startIndex {
            let word = stem[stem.index(after: mark)...]
            if let size = Self.size(word), size > 0 {
                add(width: size)
            } else if let number = (isPiwigo ? Self.piwigoScales : Self.scales)[Substring(word.lowercased())] {
                add(scale: number)
            } else if word.count < 11 || word.first != "e" || !word.dropFirst().allSatisfy(\.isNumber) {
                break
            }
            stem = stem[..<mark]
        }
        if let mark = stem.firstIndex(of: "_"), let number = Self.prefixes[stem[..<mark]] {
            add(scale: number)
            stem = stem[stem.index(after: mark)...]
        }
        return stem + name[dot...]
    }
}

/// The folders of a page's picture addresses that state a rendition, learned from the page.
///
/// A folder is one if it varies between the renditions of a picture, and does so for several pictures.
struct RenditionPatterns {
    /// The number of pictures whose renditions have to vary in a folder.
    private static let minPictures = 3
    /// The maximum number of renditions of a picture that are compared.
    private static let maxRenditions = 9

    /// The pictures' keys without the folder, by host, position and name of the folder.
    private var pictures: TextMap<TextSet> = [:]

    /// Adds the renditions of one picture, as an element states them.
    mutating func add(_ keys: [String]) {
        let all = keys.prefix(Self.maxRenditions).map(Self.parts)
        guard let first = all.first else { return }
        for other in all.dropFirst() where other.count == first.count {
            let different = other.indices.filter { !first[$0].utf8.elementsEqual(other[$0].utf8) }
            // The first part is the host, and the last one the name of the picture.
            guard different.count == 1, let index = different.first, index > 0, index < other.count - 1 else {
                continue
            }
            for parts in [first, other] {
                pictures[Self.pattern(parts, index), default: []].insert(Self.masked(parts, index))
            }
        }
    }

    /// Returns a key without the folder of its rendition.
    func masked(_ key: String) -> String {
        guard !pictures.isEmpty else { return key }
        let parts = Self.parts(key)
        let index = parts.indices.dropFirst().dropLast().first { index in
            (pictures[Self.pattern(parts, index)]?.count ?? 0) >= Self.minPictures
        }
        return index.map { Self.masked(parts, $0) } ?? key
    }

    private static func parts(_ key: String) -> [Substring] {
        key.split(separator: "/", maxSplits: 24, omittingEmptySubsequences: false)
    }

    private static func pattern(_ parts: [Substring], _ index: Int) -> String {
        "\(parts[0])/\(index)/\(parts[index])"
    }

    private static func masked(_ parts: [Substring], _ index: Int) -> String {
        var parts = parts
        parts[index] = "*"
        return parts.joined(separator: "/")
    }
}
