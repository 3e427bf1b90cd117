// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The result of one HTTP exchange.
struct ExchangeResult: Sendable {
    var result: Result<RawResponse, Failure>
    /// Whether the connection broke in a way that a faulty HTTP/2 server may have caused.
    ///
    /// Without a response, libcurl does not report which HTTP version was used.
    var mayBlameHTTP2: Bool
}

/// A complete HTTP response with any status, before redirects are followed.
struct RawResponse: Sendable {
    var status: Int
    var headers: HeaderFields
    var body: [UInt8]
    var bytes: Int
    /// Whether the status is one that the request asked for.
    var isSuccess: Bool
    /// Whether the server cannot send the rest of the partial file, so that the whole file must be requested.
    var needsFullRequest = false
    /// Whether the response may belong to an earlier request, so that the request must be repeated on a new connection.
    var needsNewConnection = false
    /// Whether bytes followed the end of the response, which were discarded.
    var hasSurplus = false
    /// The heads of the request and the response, the time and the server, if the exchange is recorded.
    var record: (heads: RecordedHeads, time: Int, server: String?)?
    /// Whether the body was not received to its end, because it is not the requested content and too long.
    var isCut = false
    /// How long the exchange took.
    var times: TransferTimes

    /// Returns the server's own error message without secrets, if it is JSON or plain text.
    func errorText(_ redaction: Redaction) -> String {
        guard let type = headers["content-type"], type.contains("json") || type.hasPrefix("text/plain") else {
            return ""
        }
        // Before it is cut, because a part of a secret would not be recognised.
        let start = Array(body.prefix(8 << 10))
        return String(decoding: (redaction.redacted(start) ?? start).prefix(200), as: UTF8.self)
    }
}

/// Remembers hosts whose HTTP/2 is faulty and selects HTTP/1.1 for them.
struct HTTPFallback {
    /// The number of consecutive faults after which a host is requested over HTTP/1.1.
    static let faultLimit = 3
    /// The counts are cleared when they cover more hosts than this.
    private static let maxHosts = 10_000

    private var faults: [String: Int] = [:]

    /// The version to use with a host.
    func version(for host: String, wanted: HTTPVersion) -> HTTPVersion {
        faults[host, default: 0] < Self.faultLimit ? wanted : .http1
    }

    /// Records how an exchange ended.
    mutating func record(_ result: ExchangeResult, of host: String) {
        if result.mayBlameHTTP2 {
            if faults.count >= Self.maxHosts { faults = [:] }
            faults[host, default: 0] += 1
        } else if case .success = result.result, let count = faults[host], count < Self.faultLimit {
            faults[host] = nil
        }
    }
}
