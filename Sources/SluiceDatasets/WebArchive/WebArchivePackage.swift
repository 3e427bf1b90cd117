// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Writes a WACZ file: a ZIP file with the files of a web archive, and a manifest with their hashes.
struct WebArchivePackage: ~Copyable {
    private struct Resource {
        let path: String
        let bytes: Int
        let sha256: String
    }

    private static let manifest = "datapackage.json"

    private var zip: ZipFile
    private var resources: [Resource] = []
    /// The size of the files so far.
    private(set) var bytes = 0

    init(_ file: consuming NewFile) { zip = ZipFile(file) }

    /// Adds a file; `content` calls its argument with one part after the other.
    mutating func add(
        _ path: String, _ content: (_ write: ([UInt8]) throws(FileError) -> Void) throws -> Void
    ) throws {
        try zip.begin(path)
        let hash = SHA256()
        let start = bytes
        try content { (part) throws(FileError) in
            hash.update(part)
            bytes += part.count
            try zip.write(part)
        }
        resources.append(Resource(path: path, bytes: bytes - start, sha256: hash.finish()))
    }

    /// Writes the manifest with its own hash, and returns the file, which does not have its name yet.
    consuming func finish(title: String, created: String, software: String) throws(FileError) -> NewFile {
        var manifest = JSONWriter()
        manifest.object { json in
            json.member("profile", "data-package")
            json.member("wacz_version", "1.1.1")
            json.member("title", title)
            json.member("created", created)
            json.member("software", software)
            json.array("resources") { list in
                for resource in resources {
                    list.object { json in
                        json.member("name", Self.name(of: resource.path))
                        json.member("path", resource.path)
                        json.member("hash", "sha256:\(resource.sha256)")
                        json.member("bytes", resource.bytes)
                    }
                }
            }
        }
        manifest.newline()
        try zip.begin(Self.manifest)
        try zip.write(manifest.bytes)
        var digest = JSONWriter()
        digest.object { json in
            json.member("path", Self.manifest)
            json.member("hash", "sha256:\(SHA256.digest(of: manifest.bytes))")
        }
        digest.newline()
        try zip.begin("datapackage-digest.json")
        try zip.write(digest.bytes)
        return try zip.finish()
    }

    /// The name of a file in the manifest, which has only small letters, digits, `.`, `_` and `-`.
    private static func name(of path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
        let bytes = name.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "."), UInt8(ascii: "_"): byte
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Compresses the lines of a CDXJ index in blocks, and lists the blocks, so that a reader need not load all of them.
struct CompressedIndex {
    /// The names of the index and of the list of its blocks.
    static let (name, listName) = ("index.cdx.gz", "index.idx")
    /// The usual number of lines in a block.
    private static let linesPerBlock = 1024

    /// A line for each block with its first key, its place and its hash.
    private(set) var list = Array("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"\(name)\"}\n".utf8)
    private var block: [UInt8] = []
    private var lines = 0
    private var offset = 0

    /// Adds a line, in the order of the lines' bytes; returns the block that it completes.
    mutating func add(_ line: String) -> [UInt8] {
        block += line.utf8
        block.append(10)
        lines += 1
        return lines == Self.linesPerBlock ? finish() : []
    }

    /// Ends the last block and returns it; empty if it has no lines.
    mutating func finish() -> [UInt8] {
        guard lines > 0 else { return [] }
        let encoder = GzipEncoder(compressing: true)
        let compressed = encoder.add(block) + encoder.finish()
        let key = block.split(separator: UInt8(ascii: " "), maxSplits: 2).prefix(2).joined(separator: [0x20])
        let place = "\"offset\": \(offset), \"length\": \(compressed.count)"
        list += key
        list += " {\(place), \"digest\": \"sha256:\(SHA256.digest(of: compressed))\"}\n".utf8
        offset += compressed.count
        (block, lines) = ([], 0)
        return compressed
    }
}
