// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// What a SOURCE that is a path leads to.
enum SourceFile {
    /// Whether something stands there that can be read: a file or a pipe, and no folder.
    static func exists(_ path: String) -> Bool { InputFile.exists(path) }
}
