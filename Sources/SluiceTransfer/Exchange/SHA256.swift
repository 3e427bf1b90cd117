// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A SHA-256 under way: what Sluice knows files by.
public struct SHA256: ~Copyable {
    private let digest = Digest(.sha256)

    init() {}

    borrowing func update(_ bytes: UnsafeRawBufferPointer) { unsafe digest.update(bytes) }

    /// The digest of some bytes at once, 64 hexadecimal digits.
    public static func digest(of bytes: [UInt8]) -> String {
        let hash = SHA256()
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
        return hash.finish()
    }

    /// The digest of an open file, 64 hexadecimal digits; `nil` if it cannot be read to its end.
    ///
    /// The descriptor's position does not matter and stays.
    public static func digest(ofFileAt descriptor: Int32) -> String? { Digest.of(fileAt: descriptor, by: .sha256) }

    /// The digest of all that came until now, 64 hexadecimal digits; more may follow.
    borrowing func soFar() -> String { digest.soFar() }

    /// The digest of all that came, 64 hexadecimal digits; the next one starts with nothing.
    borrowing func finish() -> String { digest.finish() }
}
