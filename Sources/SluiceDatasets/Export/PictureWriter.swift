// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceStore

/// Writes the pictures of a shard, and the files that belong to them, into a tar file or a folder.
struct PictureWriter: ~Copyable {
    private var tar: TarFile?
    /// The folder, if there is no tar file.
    private let folder: String
    private let store: any Store
    private var staged: [StagedFile] = []
    /// The number of bytes written, without the end of the archive.
    private(set) var bytes = 0

    init(_ name: String, in store: any Store, _ rules: LayoutRules) throws(FileError) {
        self.store = store
        folder = name
        if rules.container == .tar { tar = try TarFile(name + rules.mainFile, in: store) }
    }

    /// Adds a file with the given content.
    mutating func add(_ name: String, _ content: [UInt8]) throws(FileError) {
        guard tar == nil else {
            try tar?.add(name, content)
            bytes += TarFile.memberSize(content.count)
            return
        }
        let path = "\(folder)/\(name)"
        // A bucket's store would keep the whole shard in memory if it were staged there.
        let file = try store.create(path)
        try file.write(content)
        staged.append(try file.stage(flushed: false))
        bytes += content.count
    }

    /// Adds the first `count` bytes of a file; returns false if the file has fewer.
    mutating func add(_ name: String, of source: borrowing OpenFile, count: Int) throws(FileError) -> Bool {
        guard tar == nil else {
            bytes += TarFile.memberSize(count)
            return try tar?.add(name, of: source, count: count) ?? false
        }
        let file = try store.create("\(folder)/\(name)")
        guard try file.copy(source, count: count) else { return false }
        staged.append(try file.stage(flushed: false))
        bytes += count
        return true
    }

    /// Ends the files; the tar file is the last.
    consuming func stage() throws(FileError) -> [StagedFile] {
        if let tar = tar.take() { staged.append(try tar.stage()) }
        return staged
    }
}

extension NewFile {
    /// Appends the first `count` bytes of a file; returns false if the file has fewer.
    borrowing func copy(_ source: borrowing OpenFile, count: Int) throws(FileError) -> Bool {
        var offset = 0
        while offset < count {
            let bytes = try source.read(at: offset, count: min(1 << 20, count - offset))
            guard !bytes.isEmpty else { return false }
            try write(bytes)
            offset += bytes.count
        }
        return true
    }
}
