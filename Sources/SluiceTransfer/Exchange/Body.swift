// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where a reply's body goes while it arrives: into memory or a file, counted, bounded and hashed.
struct Body: ~Copyable {
    /// Where the bytes are kept.
    enum Target: Sendable {
        case memory
        /// A file that the caller owns, keeps open until the exchange has ended, and does not touch before.
        case file(Int32)
    }

    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private let target: Target
    private let limit: Int
    private let hash = SHA256()

    /// The body of a reply that is not wanted: enough of it to tell what the host says, and no more.
    static let unwantedLimit = 64 << 10

    init(_ target: Target, limit: Int) {
        self.target = target
        self.limit = limit
    }

    /// Takes up what arrived, unless it is more than was allowed.
    mutating func receive(_ chunk: UnsafeRawBufferPointer) throws(Failure) {
        guard chunk.count <= limit - count else { throw Failure(.tooLarge, "more than \(limit) bytes") }
        switch target {
        case .memory: unsafe bytes.append(contentsOf: chunk)
        case .file(let descriptor): try unsafe write(chunk, to: descriptor)
        }
        unsafe hash.update(chunk)
        count += chunk.count
    }

    /// The SHA-256 of all that arrived.
    borrowing func sha256() -> String { hash.finish() }

    /// Forgets what arrived, for another attempt.
    static func restart(_ target: Target) throws(Failure) {
        if case .file(let descriptor) = target, ftruncate(descriptor, 0) != 0 {
            throw Failure(.disk, unsafe String(cString: strerror(errno)))
        }
    }

    private func write(_ chunk: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
        var written = 0
        while written < chunk.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: chunk[written...])
            let result = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(count + written))
            if result < 0 {
                if errno == EINTR { continue }
                throw Failure(.disk, unsafe String(cString: strerror(errno)))
            }
            written += result
        }
    }
}
