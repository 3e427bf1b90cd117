// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where a reply's body goes while it arrives: into memory or a file, counted and bounded.
struct Body: ~Copyable {
    /// Where the bytes are kept.
    enum Target: Sendable {
        case memory
        case file(Landing)

        /// The SHA-256 of a good reply's body.
        func sha256(of reply: Exchange.Reply) -> String {
            switch self {
            case .memory: SHA256.digest(of: reply.body)
            case .file(let landing): landing.sha256
            }
        }
    }

    private(set) var bytes: [UInt8] = []
    private let target: Target
    private let limit: Int

    /// The body of a reply that is not wanted: enough of it to tell what the host says, and no more.
    static let unwantedLimit = 64 << 10

    init(_ target: Target, limit: Int) {
        self.target = target
        self.limit = limit
    }

    /// How many bytes there are, with those that a file had before.
    var count: Int {
        switch target {
        case .memory: bytes.count
        case .file(let landing): landing.count
        }
    }

    /// Refuses a body that is announced to be more than was allowed.
    borrowing func check(announced: Int?) throws(Failure) {
        guard let announced, announced > limit else { return }
        throw Failure(.tooLarge, "\(announced) bytes announced (limit \(limit))")
    }

    /// Takes up what arrived, unless it is more than was allowed; `false` if no more is wanted.
    mutating func receive(
        _ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?
    ) throws(Failure) -> Bool {
        guard chunk.count <= limit - count else { throw Failure(.tooLarge, "more than \(limit) bytes") }
        switch target {
        case .memory:
            unsafe bytes.append(contentsOf: chunk)
            return true
        case .file(let landing): return try unsafe landing.receive(chunk, headers, announced: announced)
        }
    }
}
