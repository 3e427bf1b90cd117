// SPDX-License-Identifier: MIT

/// The reason why an item failed or was skipped, or why a page could not be loaded.
///
/// The list is closed. The ledger, the manifest, the events and the messages all use ``name``. Every cause is either
/// permanent or ``isRetryable``.
public enum Cause: Sendable, Hashable {
    // The network and HTTP
    case dns, connect, tls, timeout
    /// A status from 400 to 499 except 429; the name contains the number (`http-404`).
    case httpClientError(Int)
    case httpTooManyRequests, httpServerError, unexpectedStatus
    case badFraming, badHeaders, contentEncoding, encodingBomb
    // The received file
    case emptyBody, tooLarge, truncated, digestMismatch, notAnImage, corrupt, unsupported
    case tooManyPixels, tooManyScans, badChunk, decodeLimit, decoderCrashed, quarantined
    // Rules
    case addressRefused, redirectLoop, redirectScheme, redirectDowngrade, sessionEnded, optedOut, withdrawn, blocked,
        duplicate,
        policy
    // The run and the machine
    case deferred, cancelled, disk, `internal`
    // Pages only
    /// A page that a site shows in place of the photos.
    case login, consent, challenge, paywall, scripts
    /// The address is a file of another kind, such as an archive.
    case wrongType
    case feedParse, paginationLoop, crossOriginNext

    /// Creates the cause for an HTTP status; returns `nil` if the status is not a failure.
    package init?(status: Int) {
        switch status {
        case 429: self = .httpTooManyRequests
        case 400...499: self = .httpClientError(status)
        case 500...599: self = .httpServerError
        default: return nil
        }
    }

    /// Whether a later retry can succeed.
    public var isRetryable: Bool {
        switch self {
        case .dns, .connect, .timeout, .httpTooManyRequests, .httpServerError, .badFraming, .emptyBody, .truncated,
            .digestMismatch, .deferred, .cancelled:
            true
        case .httpClientError(let status): status == 408 || status == 425
        default: false
        }
    }

    /// The causes with which an intact original is kept without thumbnails.
    package static let undecodable: [Cause] = [.unsupported, .tooManyPixels, .decodeLimit]

    /// The cause's name in all files, events and messages.
    public var name: String {
        if case .httpClientError(let status) = self { return "http-\(status)" }
        return Self.names[self] ?? "internal"
    }

    /// Looks up a cause by name; returns `nil` if the name is unknown.
    public init?(name: String) {
        if let known = Self.byName[name] {
            self = known
        } else if name.hasPrefix("http-"), let status = Int(name.dropFirst(5)), (400...499).contains(status) {
            self = .httpClientError(status)
        } else {
            return nil
        }
    }

    /// The names of all causes except the numbered ones.
    private static let names: [Cause: String] = [
        .dns: "dns", .connect: "connect", .tls: "tls", .timeout: "timeout", .httpTooManyRequests: "http-429",
        .httpServerError: "http-5xx", .unexpectedStatus: "unexpected-status", .badFraming: "bad-framing",
        .badHeaders: "bad-headers", .contentEncoding: "content-encoding", .encodingBomb: "encoding-bomb",
        .digestMismatch: "digest-mismatch", .emptyBody: "empty-body", .tooLarge: "too-large",
        .truncated: "truncated", .notAnImage: "not-an-image",
        .corrupt: "corrupt", .unsupported: "unsupported", .tooManyPixels: "too-many-pixels",
        .tooManyScans: "too-many-scans", .badChunk: "bad-chunk", .decodeLimit: "decode-limit",
        .decoderCrashed: "decoder-crashed", .quarantined: "quarantined", .addressRefused: "address-refused",
        .redirectLoop: "redirect-loop", .redirectScheme: "redirect-scheme", .redirectDowngrade: "redirect-downgrade",
        .sessionEnded: "session-ended", .optedOut: "opted-out", .withdrawn: "withdrawn", .blocked: "blocked",
        .duplicate: "duplicate",
        .policy: "policy",
        .deferred: "deferred", .login: "login", .consent: "consent", .challenge: "challenge", .paywall: "paywall",
        .scripts: "scripts", .wrongType: "wrong-type",
        .cancelled: "cancelled", .disk: "disk", .internal: "internal", .feedParse: "feed-parse",
        .paginationLoop: "pagination-loop", .crossOriginNext: "cross-origin-next",
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
}

extension Cause: CustomStringConvertible {
    /// The cause's name.
    public var description: String { name }
}

extension Cause: Codable {
    /// Decodes a cause from its name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let cause = Cause(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown cause '\(name)'")
        }
        self = cause
    }

    /// Encodes the cause's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// A set of causes, written as a comma-separated list: `dns,timeout,http-5xx`.
///
/// `http-4xx` stands for every status from 400 to 499.
public struct CauseSet: Sendable, Hashable {
    private static let clientErrors = "http-4xx"

    private var causes: Set<Cause> = []
    private var hasClientErrors = false

    /// Parses a comma-separated list; returns `nil` if it is empty or contains an unknown name.
    public init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for name in names {
            if name == Self.clientErrors {
                hasClientErrors = true
            } else if let cause = Cause(name: name) {
                causes.insert(cause)
            } else {
                return nil
            }
        }
    }

    /// Whether the set contains the cause.
    public func contains(_ cause: Cause) -> Bool {
        if causes.contains(cause) { return true }
        if case .httpClientError = cause { return hasClientErrors }
        return hasClientErrors && cause == .httpTooManyRequests
    }
}
