// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Addresses within the objects of a record, such as `image.url` in the replies of services.
///
/// Which of several is the photo is a guess by the names of their members.
enum NestedAddress {
    private static let maxDepth = 4
    private static let large = ["original", "full", "large", "raw", "big", "max", "source", "download"]
    private static let small = ["thumb", "small", "tiny", "preview", "icon", "avatar", "profile", "logo", "medium"]

    /// Returns the text at a path such as `image.url`; `nil` if there is none.
    static func text(at path: String, in members: [JSON.Member]) -> String? {
        var value: JSON? = .object(members)
        for name in path.split(separator: ".") { value = value?[String(name)] }
        return value?.text
    }

    /// Returns the address that is most likely the photo: a picture, of a usual name, and large.
    static func best(in members: [JSON.Member]) -> String? {
        var best: (rank: [Int], address: String)?
        visit(members, path: "", depth: 0) { path, address in
            let name = path.split(separator: ".").last ?? ""
            let lower = path.lowercased()
            let size = (large.contains(where: lower.contains) ? 1 : 0) - (small.contains(where: lower.contains) ? 2 : 0)
            let rank = [
                PictureName.isPicture(address) ? 1 : 0, size, -(ListField.addressRank(of: String(name)) ?? .max),
            ]
            if best.map({ $0.rank.lexicographicallyPrecedes(rank) }) ?? true { best = (rank, address) }
        }
        return best?.address
    }

    private static func visit(
        _ members: [JSON.Member], path: String, depth: Int, _ body: (_ path: String, _ address: String) -> Void
    ) {
        guard depth < maxDepth else { return }
        for member in members {
            let name = path.isEmpty ? member.name : "\(path).\(member.name)"
            switch member.value {
            case .string(let text) where ListAddress.begins(text.utf8): body(name, text)
            case .object(let inner): visit(inner, path: name, depth: depth + 1, body)
            default: break
            }
        }
    }
}
