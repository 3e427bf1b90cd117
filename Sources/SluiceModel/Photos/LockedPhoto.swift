// SPDX-License-Identifier: MIT

/// A line of a dataset's lock: the address of a photo, and the file that it delivered.
///
/// A line has the SHA-256, the size in bytes, the perceptual hash (or `-`) and the address, separated by blanks.
public struct LockedPhoto: Sendable, Hashable {
    /// The first line of a lock.
    package static let header = "#sluice-lock 1"

    /// The requested address.
    public var url: String
    /// The SHA-256 of the file, as 64 hexadecimal digits.
    public var sha256: String
    /// The size of the file in bytes.
    public var bytes: Int
    /// The perceptual hash of the picture, if it is known.
    public var phash: UInt64?

    package init(url: String, sha256: String, bytes: Int, phash: UInt64?) {
        (self.url, self.sha256, self.bytes, self.phash) = (url, sha256, bytes, phash)
    }

    /// Reads a line without its line end; returns `nil` if it is invalid.
    package init?(line: String) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].utf8.count == 64, parts[0].utf8.allSatisfy(\.isLowercaseHexDigit),
            let bytes = Int(parts[1])?.within(Quantity.range), !parts[3].isEmpty
        else { return nil }
        phash = UInt64(parts[2], radix: 16)
        guard phash != nil || parts[2] == "-" else { return nil }
        url = String(parts[3])
        sha256 = String(parts[0])
        self.bytes = bytes
    }

    /// The line without a line end.
    package var line: String {
        "\(sha256) \(bytes) \(phash.map { String($0, radix: 16).zeroPadded(to: 16) } ?? "-") \(url)"
    }
}
