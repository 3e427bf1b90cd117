// SPDX-License-Identifier: MIT

/// A parsed `Content-Range` header: `bytes 100-199/200`.
struct ContentRange: Sendable, Hashable {
    /// The position of the first byte.
    let first: Int
    /// The position of the last byte.
    let last: Int
    /// The size of the whole file; `nil` if the server does not know it.
    let total: Int?

    /// Parses the header strictly; `nil` for any other form.
    init?(_ text: String?) {
        guard let text, text.hasPrefix("bytes ") else { return nil }
        let halves = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        let total = Self.number(halves[1])
        guard total.map({ last < $0 }) ?? (halves[1] == "*") else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    /// Whether the range is the rest of the file, starting at `offset`.
    func isRest(from offset: Int, of wholeSize: Int?) -> Bool {
        guard first == offset, let total, last == total - 1 else { return false }
        return wholeSize == nil || wholeSize == total
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
