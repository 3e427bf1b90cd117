// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceModel

/// The paths of an item's files in a mirror.
package enum OutputPath {
    /// Whether all files of a receipt have the paths that a run gives to the item with this name.
    ///
    /// Receipts of other machines name files, and these names must not lead to other files of the mirror.
    package static func matches(_ receipt: Receipt, named name: String?) -> Bool {
        guard let name else { return receipt.files.isEmpty }
        let isOriginal = receipt.original.map { isPath($0.path, in: "originals", named: name) } ?? true
        let isSidecar = receipt.sidecar.map { $0.path === receipt.original.map(PhotoXMP.path) } ?? true
        return isOriginal && isSidecar
            && receipt.thumbs.allSatisfy { thumb in
                guard let size = ThumbnailSize(thumb.size), size.description == thumb.size else { return false }
                return isPath(thumb.file.path, in: "thumbs/\(thumb.size)", named: name)
            }
    }

    private static func isPath(_ path: String, in folder: String, named name: String) -> Bool {
        ImageFormat.allCases.contains { path.utf8.elementsEqual("\(folder)/\(name).\($0.fileExtension)".utf8) }
    }
}
