// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The files of an object in the Metadata Encoding and Transmission Standard (METS), as digital libraries state them.
///
/// Libraries put the same page in several sizes into groups such as `MAX`, `DEFAULT` and `THUMBS`, and the physical
/// structure names the files of each page.
struct METSFiles {
    /// The name of the element with the whole object.
    static let root = "mets"
    private static let namespaces: Set<String> = ["http://www.loc.gov/METS/"]
    /// The groups of small renditions, and those before all others.
    private static let (smallGroups, largeGroups) = (["MIN", "THUMBS"], ["MAX", "DEFAULT"])
    /// Types that browsers do not show; a rendition of another type comes first.
    private static let masterTypes: Set<String> = ["image/tiff", "image/tif", "image/jp2", "image/jpx"]

    private struct File {
        let address: String
        let group: String
        let rank: Int

        var isSmall: Bool { METSFiles.smallGroups.contains(group) }
    }

    /// The renditions of each page, best first.
    let pages: [[Variant]]

    /// Reads the files in a record's metadata; `nil` if there are no pictures.
    init?(_ metadata: XMLElement) {
        let isMETS = { (element: XMLElement) in Self.namespaces.contains(element.namespace) }
        let elements = metadata.subtree.filter(isMETS)
        guard elements.contains(where: { $0.name == Self.root }) else { return nil }
        var files: TextMap<File> = [:]
        var ids: [String] = []
        for group in elements where group.name == "fileGrp" {
            for element in group.all("file") {
                guard let id = element["ID"], let file = Self.file(element, in: group["USE"] ?? "") else { continue }
                if files[id] == nil { ids.append(id) }
                files[id] = file
            }
        }
        let structures = elements.filter { $0.name == "structMap" && $0["TYPE"]?.uppercased() == "PHYSICAL" }
        let divisions = structures.flatMap(\.subtree).filter { $0.name == "div" }
        var pages = divisions.map { $0.all("fptr").compactMap { $0["FILEID"].flatMap { files[$0] } } }
        pages.removeAll(where: \.isEmpty)
        if pages.isEmpty {
            // Without a structure, the files of the best group are the pages.
            let all = ids.compactMap { files[$0] }
            let best = all.min { $0.rank < $1.rank }?.group
            pages = all.filter { $0.group == best }.map { [$0] }
        } else if pages.contains(where: { !$0.allSatisfy(\.isSmall) }) {
            // The object itself may have a small picture of its first page.
            pages.removeAll { $0.allSatisfy(\.isSmall) }
        }
        guard !pages.isEmpty else { return nil }
        self.pages = pages.map(Self.variants)
    }

    private static func file(_ element: XMLElement, in group: String) -> File? {
        let address = element.all("FLocat").lazy.compactMap { $0["href"].flatMap(OAIRecord.webAddress) }.first
        guard let address else { return nil }
        let type = element["MIMETYPE"]?.lowercased() ?? ""
        guard type.hasPrefix("image/") || type.isEmpty && PictureName.isPicture(address) else { return nil }
        let use = group.uppercased()
        let level =
            largeGroups.firstIndex(of: use)
            ?? largeGroups.count + (smallGroups.firstIndex(of: use).map { $0 + 1 } ?? 0)
        return File(address: address, group: use, rank: level + (masterTypes.contains(type) ? 10 : 0))
    }

    /// Names the renditions of a page by their groups; the best one is the original.
    private static func variants(of files: [File]) -> [Variant] {
        var names: TextSet = []
        let ordered = files.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return ordered.map(\.element).enumerated().compactMap { index, file in
            let name = index == 0 ? Variant.original : file.group.lowercased()
            return names.insert(name) ? Variant(name: name, url: file.address) : nil
        }
    }
}
