// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A cache of encoded pictures by path, bounded in bytes, that forgets all of them when it is full.
final class PictureCache: Sendable {
    /// A file's bytes and its `ETag`.
    struct File: Sendable {
        let bytes: [UInt8]
        let tag: String
    }

    private let limit: Int
    private let state = Locked((files: [String: File](), bytes: 0))

    init(limit: Int) { self.limit = limit }

    /// Returns the file at a path; calls `make` outside the lock if it is not cached.
    func file(_ path: String, make: () throws -> [UInt8]) rethrows -> File {
        if let cached = state.withLock({ $0.files[path] }) { return cached }
        let bytes = try make()
        let file = File(bytes: bytes, tag: "\"\(String(Self.hash(bytes), radix: 16))\"")
        state.withLock { state in
            if state.bytes + bytes.count > limit { state = ([:], 0) }
            state.files[path] = file
            state.bytes += bytes.count
        }
        return file
    }

    /// Returns a file's hash, computed eight bytes at a time because debug builds are slow.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var hash = UInt64(bytes.count)
            var at = 0
            while at + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                at += 8
            }
            while at < bytes.count {
                hash = unsafe (hash ^ UInt64(bytes[at])) &* 0x9E37_79B9_7F4A_7C15
                at += 1
            }
            return SplitMix64.mix(hash)
        }
    }
}
