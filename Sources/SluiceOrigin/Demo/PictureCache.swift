// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Encoded pictures by their path, bounded in bytes: what was longest not asked for goes first.
final class PictureCache: Sendable {
    /// A file's bytes with their validator.
    struct File: Sendable {
        let bytes: [UInt8]
        let tag: String
    }

    private struct State {
        var files: [String: (file: File, used: Int)] = [:]
        var bytes = 0
        var clock = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// The file at a path; `make` is called if it is not here, outside the lock.
    func file(_ path: String, make: () throws -> [UInt8]) rethrows -> File {
        let known = state.withLock { state -> File? in
            state.clock += 1
            state.files[path]?.used = state.clock
            return state.files[path]?.file
        }
        if let known { return known }
        let bytes = try make()
        let file = File(bytes: bytes, tag: "\"\(String(Self.fingerprint(bytes), radix: 16))\"")
        keep(file, at: path)
        return file
    }

    /// A file's hash, eight bytes at a time: files are long, and debug builds slow.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
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
            return Dice.scramble(hash)
        }
    }

    private func keep(_ file: File, at path: String) {
        guard file.bytes.count <= limit else { return }
        state.withLock { state in
            state.clock += 1
            state.bytes += file.bytes.count - (state.files[path]?.file.bytes.count ?? 0)
            state.files[path] = (file, state.clock)
            while state.bytes > limit, let oldest = state.files.min(by: { $0.value.used < $1.value.used }) {
                state.bytes -= oldest.value.file.bytes.count
                state.files[oldest.key] = nil
            }
        }
    }
}
