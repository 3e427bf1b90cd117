// SPDX-License-Identifier: MIT

internal import SluiceModel

protocol Decompressing {
    /// Decompresses part of `input` and removes that part; returns no bytes if it needs more input.
    mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8]
    /// Whether the data is complete if the input ends here.
    var isComplete: Bool { get }
}

extension Decompressing {
    /// The maximum output of one call, in bytes, which bounds memory for highly compressed data.
    static var maxOutput: Int { 256 << 10 }
}

/// A list's compression format, detected from its first bytes.
enum ListCompression: Sendable, Hashable {
    case none, gzip, zstd

    init(sniffing head: some Collection<UInt8>) {
        if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            self = .none
        }
    }

    /// Creates a decoder; `nil` for an uncompressed list.
    func makeDecoder() -> (any Decompressing)? {
        switch self {
        case .none: nil
        case .gzip: BoundedDecoder(GzipDecoder())
        case .zstd: BoundedDecoder(ZstdDecoder())
        }
    }
}

/// Refuses data that expand too much: a small file would otherwise occupy its reader for hours.
private struct BoundedDecoder: Decompressing {
    /// Lists shrink to a tenth or a hundredth.
    private static let maxExpansion = 300
    private static let minBombBytes = ListBuffer.maxBytesWithoutRecord

    private var decoder: any Decompressing
    private var (consumed, produced) = (0, 0)

    init(_ decoder: any Decompressing) { self.decoder = decoder }

    var isComplete: Bool { decoder.isComplete }

    mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        let before = input.count
        let bytes = try decoder.decompress(&input)
        consumed += before - input.count
        produced += bytes.count
        guard produced <= Self.minBombBytes || produced / Self.maxExpansion <= consumed else {
            throw Failure(.encodingBomb, "\(consumed) bytes of the list expanded to more than \(produced)")
        }
        return bytes
    }
}
