// SPDX-License-Identifier: MIT

/// Why an item failed or was skipped, or a page could not be had: a closed list.
///
/// The ledger, the manifest, the events and the messages all use ``name``. Every cause is either permanent or
/// ``isWorthRetry``.
public enum Cause: Sendable, Hashable {
    // The network and HTTP
    case dns, connect, tls, timeout
    /// A status from 400 to 499 but 429; the number stands for itself (`http-404`).
    case httpClientError(Int)
    case httpTooManyRequests, httpServerError, unexpectedStatus
    case badFraming, badHeaders, contentEncoding, encodingBomb
    // What arrived
    case emptyBody, tooLarge, truncated, notAnImage, corrupt, unsupported
    case tooManyPixels, tooManyScans, badChunk, decodeLimit, decoderCrashed, quarantined
    // Rules
    case addressRefused, redirectLoop, redirectScheme, redirectDowngrade, optedOut, duplicate, policy
    // The run and the machine
    case deferred, cancelled, disk, `internal`
    // Pages only
    case feedParse, paginationLoop, crossOriginNext

    /// The cause that an HTTP status stands for; `nil` for a status that is no failure in itself.
    public init?(status: Int) {
        switch status {
        case 429: self = .httpTooManyRequests
        case 400...499: self = .httpClientError(status)
        case 500...599: self = .httpServerError
        default: return nil
        }
    }

    /// Whether trying again later can help.
    public var isWorthRetry: Bool {
        switch self {
        case .dns, .connect, .timeout, .httpTooManyRequests, .httpServerError, .badFraming, .emptyBody, .truncated,
            .deferred, .cancelled:
            true
        case .httpClientError(let status): status == 408 || status == 425
        default: false
        }
    }

    /// The cause's one name, everywhere.
    public var name: String {
        if case .httpClientError(let status) = self { return "http-\(status)" }
        return Self.names[self] ?? "internal"
    }

    /// The cause of that name, if the list has it.
    public init?(name: String) {
        if let known = Self.byName[name] {
            self = known
        } else if name.hasPrefix("http-"), let status = Int(name.dropFirst(5)), (400...499).contains(status) {
            self = .httpClientError(status)
        } else {
            return nil
        }
    }

    /// Every cause but the numbered ones, with its name.
    private static let names: [Cause: String] = [
        .dns: "dns", .connect: "connect", .tls: "tls", .timeout: "timeout", .httpTooManyRequests: "http-429",
        .httpServerError: "http-5xx", .unexpectedStatus: "unexpected-status", .badFraming: "bad-framing",
        .badHeaders: "bad-headers", .contentEncoding: "content-encoding", .encodingBomb: "encoding-bomb",
        .emptyBody: "empty-body", .tooLarge: "too-large", .truncated: "truncated", .notAnImage: "not-an-image",
        .corrupt: "corrupt", .unsupported: "unsupported", .tooManyPixels: "too-many-pixels",
        .tooManyScans: "too-many-scans", .badChunk: "bad-chunk", .decodeLimit: "decode-limit",
        .decoderCrashed: "decoder-crashed", .quarantined: "quarantined", .addressRefused: "address-refused",
        .redirectLoop: "redirect-loop", .redirectScheme: "redirect-scheme", .redirectDowngrade: "redirect-downgrade",
        .optedOut: "opted-out", .duplicate: "duplicate", .policy: "policy", .deferred: "deferred",
        .cancelled: "cancelled", .disk: "disk", .internal: "internal", .feedParse: "feed-parse",
        .paginationLoop: "pagination-loop", .crossOriginNext: "cross-origin-next",
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
}

extension Cause: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension Cause: Codable {
    /// Reads a cause by its name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let cause = Cause(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cause is called \(name)")
        }
        self = cause
    }

    /// Writes the cause's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
