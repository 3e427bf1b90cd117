// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Addresses within the objects of a record, such as `image.url` in the replies of services.
enum NestedAddress {
    private static let maxDepth = 4
    private static let large = ["original", "full", "large", "raw", "big", "max", "source", "download"]
    /// Renditions that are no originals, and pictures that are no photos.
    private static let unwanted = [
        "thumb", "small", "tiny", "preview", "icon", "avatar", "profile", "logo", "placeholder", "license", "licence",
    ]

    /// Whether a member has one of several renditions of a picture, or another picture than a photo, by its name.
    static func isRendition(_ name: String) -> Bool {
        let lower = name.lowercased()
        return (large + unwanted + ["regular", "medium"]).contains(where: lower.contains)
    }

    /// Returns the text at a path such as `image.url`; `nil` if there is none.
    static func text(at path: String, in members: [JSON.Member]) -> String? {
        var value: JSON? = .object(members)
        for name in path.split(separator: ".") { value = value?[String(name)] }
        return value?.text
    }

    /// Returns the address of a picture in a record, of several the largest by its name or width; `nil` if there is
    /// none.
    ///
    /// Other addresses are pages, licences and calls of the service more often than photos.
    static func picture(in members: [JSON.Member], maxDepth: Int = maxDepth) -> String? {
        var best: (rank: [Int], address: String)?
        visit(members, path: "", depth: maxDepth) { path, address, width in
            let lower = path.lowercased()
            guard PictureName.isPicture(address), !unwanted.contains(where: lower.contains) else { return }
            let names = path.split(separator: ".")
            let rank = [
                large.contains(where: lower.contains) ? 1 : 0, width, -names.count,
                -(ListField.addressRank(of: String(names.last ?? "")) ?? Int.max),
            ]
            if best.map({ $0.rank.lexicographicallyPrecedes(rank) }) ?? true { best = (rank, address) }
        }
        return best?.address
    }

    /// Returns the pictures in the arrays of a record that are none of its photo's: `images` beside `image`.
    ///
    /// Renditions of the same picture are not among them.
    static func others(in record: JSON, besides photo: Photo) -> [String] {
        guard case .object(let members) = record else { return [] }
        var files = TextSet(photo.variants.map { file(at: $0.url) })
        let arrays = members.filter { ListField.namesSeveralPhotos($0.name) }.compactMap(\.value.elements)
        return arrays.joined().compactMap { element in
            let address = if case .object(let inner) = element { onlyPicture(in: inner) } else { element.text }
            guard let address, ListAddress.begins(address.utf8), PictureName.isPicture(address) else { return nil }
            return files.insert(file(at: address)) ? address : nil
        }
    }

    /// Returns an address without its query, unless that names the picture.
    private static func file(at address: String) -> String {
        let path = String(address.prefix { $0 != "?" })
        return PictureName.isPicture(path) ? path : address
    }

    /// Returns the picture of an element of `images`; `nil` for a rendition, which has only an address and its size.
    private static func onlyPicture(in members: [JSON.Member]) -> String? {
        let facts = members.filter { $0.value.text.map { !ListAddress.begins($0.utf8) } ?? true }
        let isRendition = !facts.isEmpty && facts.allSatisfy { ["width", "height"].contains($0.name) }
        return isRendition ? nil : picture(in: members)
    }

    private static func visit(
        _ members: [JSON.Member], path: String, depth: Int,
        _ body: (_ path: String, _ address: String, _ width: Int) -> Void
    ) {
        for member in members {
            let name = path.isEmpty ? member.name : "\(path).\(member.name)"
            switch member.value {
            case .string(let text) where ListAddress.begins(text.utf8):
                body(name, text, width(of: member.name, among: members))
            case .object(let inner) where depth > 1: visit(inner, path: name, depth: depth - 1, body)
            default: break
            }
        }
    }

    /// The width of a rendition that a service states beside its address: `width_o` for `url_o`; 0 if it states none.
    private static func width(of name: String, among members: [JSON.Member]) -> Int {
        let wanted = name.replacing("url", with: "width")
        let member = members.first { $0.name === wanted } ?? members.first { $0.name === "width" }
        return member?.value.text.flatMap { Int($0)?.within(Quantity.range) } ?? 0
    }
}
