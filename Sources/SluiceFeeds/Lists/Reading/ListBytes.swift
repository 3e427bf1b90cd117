// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// A list's text in a window that moves along: unpacked, in blocks, and never whole in memory.
struct ListBytes: ~Copyable {
    /// The longest record; what is longer is passed over without being kept.
    static let longestRecord = 1 << 20
    private static let block = 256 << 10

    /// The window; what stands before ``start`` is read.
    private(set) var window: [UInt8] = []
    /// Where the next record starts in the window.
    private(set) var start = 0
    /// The number of the line that starts there, from 1.
    private(set) var line = 1

    private var input: InputFile
    private var packed: ArraySlice<UInt8> = []
    private var packing: Packing?
    private var unpacker: (any Unpacking)?
    private var isInputOver = false
    private let token: Token

    /// Begins before the first byte; the token ends a wait for a slow pipe.
    init(_ input: consuming InputFile, token: Token) {
        self.input = input
        self.token = token
    }

    /// Moves on to `end`, behind as many lines as lie between.
    mutating func advance(to end: Int, lines: Int) {
        start = end
        line += lines
    }

    /// Reads on behind the window's end, and drops what was read before its start, which is then 0; false at the end.
    mutating func fill() throws(Failure) -> Bool {
        window.removeSubrange(..<start)
        start = 0
        while true {
            try token.check()
            let text = try next()
            if !text.isEmpty {
                window += text
                return true
            }
            if isInputOver, packed.isEmpty || unpacker == nil { return false }
        }
    }

    /// Some more of the text; none where the input has to be asked again, or is over.
    private mutating func next() throws(Failure) -> [UInt8] {
        if packed.isEmpty || packing == nil, !isInputOver {
            // A pipe's writer may take its time, and the run may be ended meanwhile.
            guard input.isReady(within: 50) else { return [] }
            let read = try read()
            packed += read
            isInputOver = read.isEmpty
        }
        if packing == nil {
            // The first four bytes tell; a pipe may give them one by one.
            guard packed.count >= 4 || isInputOver else { return [] }
            packing = Packing(sniffing: packed)
            unpacker = packing?.unpacker()
        }
        guard unpacker != nil else {
            defer { packed = [] }
            return Array(packed)
        }
        let before = packed.count
        let text = try unpacker?.unpack(&packed) ?? []
        if text.isEmpty, isInputOver {
            guard unpacker?.mayEnd == true else { throw Failure(.feedParse, "the packed file ends in its middle") }
            // Nothing comes out of it any more, and nothing goes in.
            if packed.count == before { packed = [] }
        }
        return text
    }

    private mutating func read() throws(Failure) -> [UInt8] {
        do throws(FileError) { return try input.read(Self.block) } catch { throw Failure(.disk, "\(error)") }
    }
}
