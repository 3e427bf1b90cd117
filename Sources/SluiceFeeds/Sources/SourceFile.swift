// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// What a SOURCE that is a path leads to.
enum SourceFile {
    /// Whether something stands there that can be read: a file or a pipe, and no folder.
    static func exists(_ path: String) -> Bool { InputFile.exists(path) }

    /// Whether it is a file that begins as XML and HTML do; a pipe is not looked into, because it can be read but once.
    static func isMarkup(_ path: String) -> Bool {
        let head = (try? OpenFile.reading(path, followsLink: true).read(at: 0, count: 1024)) ?? []
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        return text.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
    }
}
