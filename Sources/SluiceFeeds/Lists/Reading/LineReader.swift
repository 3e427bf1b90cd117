// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// Reads the lines of a plain or compressed text file block by block.
package struct LineReader: ~Copyable {
    private static let blockSize = 256 << 10

    private let file: OpenFile
    private let limit: Int
    private var offset = 0
    private var compressed: ArraySlice<UInt8> = []
    private var decoder: (any Decompressing)?
    /// The text that has been read; the bytes before `start` were returned.
    private var window: [UInt8] = []
    private var start = 0
    /// The bytes of the window that contain no line end.
    private var searched = 0

    /// Starts before the first line; a line of more than `limit` bytes is an error.
    package init(_ file: consuming OpenFile, limit: Int = .max) throws(Failure) {
        do throws(FileError) {
            decoder = ListCompression(sniffing: try file.read(at: 0, count: 4)).makeDecoder()
        } catch {
            throw Failure(.disk, "\(error)", scope: .run)
        }
        self.file = file
        self.limit = limit
    }

    /// Returns the next line without its line end; `nil` after the last.
    package mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
        while true {
            if let end = window[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, searched) = (end + 1, 0) }
                return window[start..<end]
            }
            searched = window.count - start
            guard searched <= limit else {
                throw Failure(.feedParse, "\(file.path) has a line of more than \(limit >> 20) MB")
            }
            window.removeSubrange(..<start)
            start = 0
            let text = try nextBlock()
            guard text.isEmpty else {
                window += text
                continue
            }
            guard window.isEmpty else { throw Failure(.feedParse, "\(file.path) ends within a line") }
            return nil
        }
    }

    /// Returns the next decompressed bytes; none at the end.
    private mutating func nextBlock() throws(Failure) -> [UInt8] {
        while true {
            if compressed.isEmpty {
                do throws(FileError) {
                    compressed = try file.read(at: offset, count: Self.blockSize)[...]
                } catch {
                    throw Failure(.disk, "\(error)", scope: .run)
                }
                offset += compressed.count
            }
            guard decoder != nil else {
                defer { compressed = [] }
                return Array(compressed)
            }
            let isAtEnd = compressed.isEmpty
            // At the end of the file, the decoder may still hold text.
            let text = try decoder?.decompress(&compressed) ?? []
            if !text.isEmpty { return text }
            guard isAtEnd else { continue }
            guard decoder?.isComplete == true else { throw Failure(.feedParse, "\(file.path) is truncated") }
            return []
        }
    }
}

extension ListBuffer {
    /// A line of the list: its number and its range in the window, without the line end.
    struct Line {
        var number: Int
        var range: Range<Int>
        /// Whether it exceeded the maximum length and was skipped.
        var isTooLong = false
    }

    /// Reads the next line; returns `nil` after the last.
    mutating func nextLine() throws(Failure) -> Line? {
        var seen = 0
        while true {
            if let end = newline(from: start + seen) { return takeLine(to: end) }
            seen = window.count - start
            if seen > Self.maxRecordLength { return try skipLine() }
            guard try fill() else { return seen > 0 ? takeLine(to: window.count) : nil }
        }
    }

    /// Skips the current line, whatever its length.
    mutating func skipLine() throws(Failure) -> Line {
        let number = line
        while true {
            if let end = newline(from: start) {
                advance(to: end + 1, lines: 1)
                break
            }
            advance(to: window.count, lines: 0)
            guard try fill() else { break }
        }
        return Line(number: number, range: start..<start, isTooLong: true)
    }

    private mutating func takeLine(to end: Int) -> Line {
        let isEndedByReturn = end > start && window[end - 1] == UInt8(ascii: "\r")
        let found = Line(number: line, range: start..<(isEndedByReturn ? end - 1 : end))
        advance(to: min(end + 1, window.count), lines: 1)
        return found
    }

    private func newline(from index: Int) -> Int? { window[index...].firstIndex(of: UInt8(ascii: "\n")) }
}
