// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Numbers and names photos in the source's order, counts their hosts, and writes their rows to one file.
///
/// A line of the file is the position of the photo's host, a space, and the row.
struct PlannedRows {
    private let choice: VariantChoice
    private var names: FileNames
    private let file: RowFileWriter
    private var writer = JSONWriter()
    /// The number of photos.
    private(set) var count = 0
    /// The hosts in the order in which they were found, with the number of their photos.
    private(set) var hosts: [(name: String, rows: Int)] = []
    private var hostPositions: [String: Int] = [:]
    /// The position of the host of each authority, so that it is parsed once and not for each address.
    private var authorities: [String: Int] = [:]

    init(in store: any Store, choice: VariantChoice, naming: NameTemplate) throws(MirrorError) {
        self.choice = choice
        names = FileNames(naming)
        file = try MirrorError.onDisk(
            RowFileWriter("rows.jsonl.zst", in: store, encoder: ZstdEncoder(), bufferSize: 256 << 10))
    }

    /// Adds the next photo.
    mutating func add(_ photo: Photo, page: Int, of feed: String) throws(Failure) {
        guard photo.variants.allSatisfy({ $0.userinfo == nil }) else {
            // A plan may be stored where others can read it.
            throw Failure(.policy, "the address of photo '\(photo.id)' contains a password; use .netrc instead")
        }
        count += 1
        let item = Item(seq: count, feed: feed, page: page, photo: photo)
        let host = position(ofHostOf: photo)
        hosts[host].rows += 1
        writer.removeAll()
        PlanRow.write(PlannedItem(item, name: names.name(for: item)), to: &writer)
        try Failure.onDisk(file.add(Array("\(host) ".utf8) + writer.bytes.dropLast()))
    }

    /// Splits a line of the file; returns `nil` if it is damaged.
    static func split(_ line: ArraySlice<UInt8>) -> (host: Int, row: ArraySlice<UInt8>)? {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")),
            let host = Int(String(decoding: line[..<space], as: UTF8.self))
        else { return nil }
        return (host, line[(space + 1)...])
    }

    /// Completes the file under its temporary name.
    func stage() throws(FileError) -> (file: StagedFile, sha256: String) { try file.stage() }

    private mutating func position(ofHostOf photo: Photo) -> Int {
        guard let url = choice.variant(of: photo)?.url, let authority = Self.plainAuthority(of: url) else {
            return position(of: choice.host(of: photo))
        }
        if let known = authorities[authority] { return known }
        let position = position(of: choice.host(of: photo))
        authorities[authority] = position
        return position
    }

    private mutating func position(of host: String) -> Int {
        if let known = hostPositions[host] { return known }
        hostPositions[host] = hosts.count
        hosts.append((host, 0))
        return hosts.count - 1
    }

    /// Returns the address up to its path; `nil` if it has no path or unusual characters before it.
    private static func plainAuthority(of url: String) -> String? {
        var slashes = 0
        for (offset, byte) in url.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "/"):
                slashes += 1
                if slashes == 3 { return String(url.utf8.prefix(offset)) }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
                break
            default: return nil
            }
        }
        return nil
    }
}
