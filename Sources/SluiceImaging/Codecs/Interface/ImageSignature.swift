// SPDX-License-Identifier: MIT

/// A format's signature: byte sequences at fixed offsets near the start of the file, or a test of the first bytes.
struct ImageSignature: Sendable {
    /// The number of bytes at the start of a file that suffice for every signature.
    static let maxBytes = 4096

    private let parts: [(offset: Int, bytes: [UInt8])]
    private var test: (@Sendable ([UInt8]) -> Bool)?

    init(_ parts: (Int, [UInt8])...) {
        self.parts = parts.map { (offset: $0.0, bytes: $0.1) }
    }

    /// Creates the signature of a file that starts with these bytes.
    init(_ bytes: UInt8...) { self.init((0, bytes)) }

    /// Creates the signature of an ISO base media file (such as AVIF) with this major brand.
    ///
    /// Such a file starts with the length of its first box in four bytes, which is far below 65536.
    init(brand: String) { self.init((0, [0, 0]), (4, Array("ftyp\(brand)".utf8))) }

    /// Creates a signature that a function recognises in a file's first bytes.
    init(test: @escaping @Sendable ([UInt8]) -> Bool) {
        parts = []
        self.test = test
    }

    func matches(_ bytes: [UInt8]) -> Bool {
        parts.allSatisfy { bytes.dropFirst($0.offset).starts(with: $0.bytes) } && test?(bytes) != false
    }

    /// Returns whether the bytes match the signature up to their end, but end before the signature does.
    func isPartialMatch(_ bytes: [UInt8]) -> Bool {
        guard let end = parts.map({ $0.offset + $0.bytes.count }).max(), bytes.count < end else { return false }
        // The signature of some formats begins after other bytes, which every short file could have.
        guard parts.contains(where: { $0.offset < bytes.count }) else { return false }
        return parts.allSatisfy { $0.bytes.starts(with: bytes.dropFirst($0.offset).prefix($0.bytes.count)) }
    }
}
