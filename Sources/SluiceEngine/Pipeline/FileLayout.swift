// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

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
