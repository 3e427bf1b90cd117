// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceModel
internal import SluiceTransfer

/// Checks the records of a WARC file, part by part: their compression, their lengths, and the digests of their blocks.
struct ArchiveCheck: ~Copyable {
    /// The longest header of a record.
    private static let maximumHeader = 1 << 20
    /// The bytes between a header and its block, and after the block.
    private static let separator: [UInt8] = [13, 10, 13, 10]

    private enum State {
        case header([UInt8])
        /// In a block with this many further bytes, of which the last ones are the separator.
        case block(rest: Int)
    }

    private let path: String
    private var decoder: GzipDecoder?
    private var state = State.header([])
    /// The hash of the block so far.
    private let hash = SHA256()
    /// The SHA-256 that the header states; `nil` if it states none.
    private var digest: String?
    /// The last bytes of the block so far.
    private var end: [UInt8] = []
    private var records = 0

    /// Makes a check of the file at `path`, each of whose records may be compressed with gzip.
    init(of path: String, isCompressed: Bool) {
        self.path = path
        decoder = isCompressed ? GzipDecoder() : nil
    }

    /// Checks the next bytes of the file.
    mutating func add(_ bytes: [UInt8]) throws(MirrorError) {
        guard decoder != nil else { return try read(bytes[...]) }
        var input = bytes[...]
        while true {
            let output = try decompress(&input)
            try read(output[...])
            // Replay programs open a record by its place, so each has a part of its own.
            if decoder?.isComplete == true, !isBetweenRecords { throw damage }
            guard !input.isEmpty || !output.isEmpty else { return }
        }
    }

    /// Checks that the file may end here.
    func finish() throws(MirrorError) {
        guard isBetweenRecords, decoder?.isComplete ?? true else { throw damage }
    }

    private var isBetweenRecords: Bool { if case .header(let bytes) = state { bytes.isEmpty } else { false } }

    private var damage: MirrorError {
        MirrorError(.damaged, "cannot read the WARC '\(path)': its record \(records + 1) is damaged")
    }

    private mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(MirrorError) -> [UInt8] {
        do throws(Failure) { return try decoder?.decompress(&input) ?? [] } catch { throw damage }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(MirrorError) {
        var bytes = bytes
        while !bytes.isEmpty {
            switch state {
            case .header(var header):
                let start = max(0, header.count - Self.separator.count + 1)
                let part = bytes.prefix(Self.maximumHeader)
                header += part
                guard let found = Self.firstSeparator(in: header[start...]) else {
                    guard header.count < Self.maximumHeader else { throw damage }
                    state = .header(header)
                    return
                }
                bytes = bytes.dropFirst(part.count - (header.count - found))
                try begin(header[..<(found - Self.separator.count)])
            case .block(let rest):
                let part = bytes.prefix(rest)
                bytes = bytes.dropFirst(part.count)
                add(part, rest: rest)
                if rest > part.count { state = .block(rest: rest - part.count) } else { try endRecord() }
            }
        }
    }

    /// The index after the first separator.
    private static func firstSeparator(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + separator.count <= bytes.endIndex {
            guard let start = bytes[index...].firstIndex(of: separator[0]) else { return nil }
            if bytes[start...].prefix(separator.count).elementsEqual(separator) { return start + separator.count }
            index = start + 1
        }
        return nil
    }

    /// Reads the header of a record.
    private mutating func begin(_ header: ArraySlice<UInt8>) throws(MirrorError) {
        let lines = String(decoding: header, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.first?.hasPrefix("WARC/1.") == true else { throw damage }
        var fields: TextMap<String> = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw damage }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        guard let length = fields["content-length"].flatMap({ Int($0) }), Quantity.range.contains(length) else {
            throw damage
        }
        let stated = fields["warc-block-digest"]
        digest = stated?.hasPrefix("sha256:") == true ? stated?.dropping(prefix: "sha256:") : nil
        end = []
        state = .block(rest: length + Self.separator.count)
    }

    /// Adds a part of a block with `rest` further bytes to the digest, or to the separator after it.
    private mutating func add(_ part: ArraySlice<UInt8>, rest: Int) {
        let content = part.prefix(max(0, rest - Self.separator.count))
        if digest != nil, !content.isEmpty { hash.update(Array(content)) }
        end += part.dropFirst(content.count)
    }

    private mutating func endRecord() throws(MirrorError) {
        guard end == Self.separator, digest == nil || hash.finish() == digest else { throw damage }
        records += 1
        state = .header([])
    }
}
