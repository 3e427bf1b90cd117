// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Receives a response's body into memory or a file, and enforces its size limit.
struct ResponseBody: ~Copyable {
    enum Target: Sendable {
        case memory
        case file(DownloadSink)

        /// The SHA-256 of a successful response's body.
        func sha256(of response: RawResponse) -> String {
            switch self {
            case .memory: SHA256.digest(of: response.body)
            case .file(let sink): sink.sha256
            }
        }

        /// The most bytes to receive at a time: fewer if the download may stop after them.
        var maxChunkSize: Int {
            switch self {
            case .memory: .max
            case .file(let sink): sink.readsPrefix ? 4096 : .max
            }
        }

        /// How the download ended, if a part of the file sufficed.
        var stopped: StoppedDownload? {
            switch self {
            case .memory: nil
            case .file(let sink): sink.stopped
            }
        }
    }

    private(set) var bytes: [UInt8] = []
    private let target: Target
    private let limit: Int

    /// The limit for the body of an error response: enough for the server's message.
    static let errorLimit = 64 << 10

    init(_ target: Target, limit: Int) {
        self.target = target
        self.limit = limit
    }

    /// The number of bytes so far, including those that a file already held.
    var count: Int {
        switch target {
        case .memory: bytes.count
        case .file(let sink): sink.count
        }
    }

    /// Throws if the announced size exceeds the limit.
    borrowing func check(announced: Int?) throws(Failure) {
        guard let announced, announced > limit else { return }
        throw Failure(.tooLarge, "\(announced) bytes announced (limit \(limit))")
    }

    /// Appends received bytes; returns `false` if the rest is not wanted, and throws if the limit is exceeded.
    mutating func receive(
        _ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?
    ) throws(Failure) -> Bool {
        guard chunk.count <= limit - count else { throw Failure(.tooLarge, "more than \(limit) bytes") }
        switch target {
        case .memory:
            unsafe bytes.append(contentsOf: chunk)
            return true
        case .file(let sink): return try unsafe sink.receive(chunk, headers, announced: announced)
        }
    }
}
