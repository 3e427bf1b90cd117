// SPDX-License-Identifier: MIT

internal import SluiceFiles

// The folder from which a run read its local files by relative paths. The gallery's links to originals need it.

extension MirrorFolder {
    private static let inputFolderFile = ".sluice/input-folder"
    private static let maximumPath = 1 << 16

    /// The absolute path of the recorded folder; `nil` if there is none.
    var inputFolder: String? {
        guard let bytes = try? state.read(Self.inputFolderFile, limit: Self.maximumPath) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Records that relative paths start from the process's current folder.
    package borrowing func recordInputFolder() throws(MirrorError) {
        let path = try MirrorError.onDisk(Folder(".").resolvedPath())
        guard path != inputFolder else { return }
        try MirrorError.onDisk(state.write(Array(path.utf8), to: Self.inputFolderFile))
    }
}
