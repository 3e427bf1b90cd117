// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
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

/// The IPTC record of a photo (IIM 4, in UTF-8): the facts that its feed states.
///
/// Texts are cut at the lengths that the standard allows; XMP has them completely.
struct PhotoIPTC {
    /// The record's bytes; empty without facts.
    private(set) var bytes: [UInt8] = []

    init(of photo: Photo) {
        add(5, PhotoXMP.title(of: photo), limit: 64)
        for tag in photo.tags.map({ TagList(text: $0).tags }) ?? [] { add(25, tag, limit: 64) }
        if let time = photo.statedTime {
            let digits = time.utf8.filter { (0x30...0x39).contains($0) }
            add(55, digits.prefix(8))
            add(60, digits.dropFirst(8) + Array((time.hasSuffix("Z") ? "+0000" : "").utf8))
        }
        add(80, photo.author, limit: 32)
        add(110, photo.attribution, limit: 32)
        add(116, photo.attribution ?? photo.license, limit: 128)
        add(120, photo.caption, limit: 2000)
        guard !bytes.isEmpty else { return }
        // The character set, and the version.
        bytes = [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47, 0x1C, 2, 0, 0, 2, 0, 4] + bytes
    }

    private mutating func add(_ dataset: UInt8, _ text: String?, limit: Int) {
        var kept: [UInt8] = []
        for scalar in (text ?? "").unicodeScalars where scalar.value >= 0x20 || scalar == "\n" {
            let encoded = Array(String(scalar).utf8)
            guard kept.count + encoded.count <= limit else { break }
            kept += encoded
        }
        if !kept.isEmpty { add(dataset, kept[...]) }
    }

    private mutating func add(_ dataset: UInt8, _ content: ArraySlice<UInt8>) {
        bytes += [0x1C, 2, dataset, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
