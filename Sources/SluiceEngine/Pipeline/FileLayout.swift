// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
package import SluiceModel

/// The names of the files that a run makes.
package enum FileLayout: Sendable {
    /// Originals and thumbnails in folders of their own, by the names that the ledger assigned.
    case mirror
    /// Thumbnails only, in one folder for each size, by the relative paths of their inputs.
    case inputs

    /// Whether the output may have originals.
    var keepsOriginals: Bool { self == .mirror }

    func original(_ name: String, _ fileExtension: String) -> String { "originals/\(name).\(fileExtension)" }

    func thumbnail(_ name: String, size: String, _ fileExtension: String) -> String {
        switch self {
        case .mirror: "thumbs/\(size)/\(name).\(fileExtension)"
        case .inputs: "\(size)/\(name).\(fileExtension)"
        }
    }

    /// Converts an error of writing a file.
    ///
    /// A folder in place of a file fails only its item. The user's files determine the names of their thumbnails.
    /// There, a file where a folder is needed also fails only its item.
    func placementFailure(_ error: FileError) -> Failure {
        guard error.isFolder || self == .inputs && error.isWrongFileType else { return Failure(error) }
        return Failure(.policy, "cannot write \(error.path): something else has that name")
    }
}

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
