// SPDX-License-Identifier: MIT

package import SluiceModel

/// An origin's answer to the request for a file with its rules, for example `robots.txt`.
package enum OriginFile: Sendable, Hashable {
    case content([UInt8])
    /// The origin has no such file.
    case missing

    /// Converts a response: only an origin that answers can be without the file, and any other failure remains one.
    ///
    /// RFC 9309 calls the file unavailable after a status 4xx, and unreachable after server and network errors. 408,
    /// 425 and 429 only say that the host cannot answer now, so they count as the latter, as does an unexpected status.
    static func answer(_ response: Result<Response, Failure>) -> Result<OriginFile, Failure> {
        switch response {
        case .success(let response): return .success(.content(response.body))
        case .failure(let failure):
            switch failure.cause {
            case .httpClientError where !failure.cause.isRetryable: return .success(.missing)
            case .emptyBody: return .success(.missing)
            case .unexpectedStatus where failure.status == 204: return .success(.missing)
            default: return .failure(failure)
            }
        }
    }
}

/// Shares the files with origins' rules among processes, so that one of them requests each.
package protocol OriginFileSharing: Sendable {
    /// Whether other processes request this host, too, without being redirected to it.
    func isShared(_ host: String) -> Bool

    /// Returns the file that another process has received from a URL; `nil` if this one must request it, and then
    /// calls ``share(_:from:)``.
    func file(from url: String, token: CancellationToken) async -> OriginFile?

    /// Gives the file that this process has received to the others; `nil` if the origin gave no answer.
    func share(_ file: OriginFile?, from url: String) async
}
