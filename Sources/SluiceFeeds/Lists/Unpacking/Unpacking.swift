// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Turns a list's bytes, as they come from the disk, into the text that was packed.
protocol Unpacking {
    /// Unpacks some of what is left of `input`, and takes it from there; nothing where more input is needed.
    mutating func unpack(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8]
    /// Whether the input may end here.
    var mayEnd: Bool { get }
}

extension Unpacking {
    /// How much is unpacked at once, however well it was packed.
    static var step: Int { 256 << 10 }
}

/// How a list is packed, told by its first bytes.
enum Packing: Sendable, Hashable {
    case plain, gzip, zstd

    init(sniffing head: some Collection<UInt8>) {
        if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            self = .plain
        }
    }

    /// What unpacks it; `nil` where there is nothing to unpack.
    func unpacker() -> (any Unpacking)? {
        switch self {
        case .plain: nil
        case .gzip: Gunzip()
        case .zstd: Unzstd()
        }
    }
}
