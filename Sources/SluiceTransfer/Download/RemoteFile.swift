// SPDX-License-Identifier: MIT

package import SluiceModel

/// One version of a file at an address, of which parts can be requested.
package struct RemoteFile: Sendable {
    /// The size of the whole file in bytes.
    package let size: Int
    private let validator: CacheValidator
    private let sender: WebAddress

    /// The response to a request for the end of a file.
    package enum End: Sendable {
        /// The last bytes of the file.
        case part(RemoteFile, [UInt8])
        /// The whole file, because it is short.
        case whole([UInt8])
        /// The server sends no parts, or does not state their version.
        case unsupported
    }

    /// Describes the version of a response with a part; `nil` if parts could not be joined safely.
    fileprivate init?(_ response: Response) {
        guard let size = response.part?.total, let validator = CacheValidator(response.headers),
            let sender = WebAddress(response.url)
        else { return nil }
        (self.size, self.validator, self.sender) = (size, validator, sender)
    }

    /// Whether a response is this part of this version.
    ///
    /// A server may send a part of any version, so a response without the validator proves nothing.
    fileprivate func has(_ range: Range<Int>, _ response: Response) -> Bool {
        guard let part = response.part, let address = WebAddress(response.url) else { return false }
        return part.first == range.lowerBound && part.last == range.upperBound - 1 && part.total == size
            && response.body.count == range.count && validator.isRepeated(in: response.headers)
            && sender.hasResource(of: address)
    }
}

extension Transfers {
    /// Requests the last bytes of a file, by which its version becomes known.
    package func end(
        of request: Request, count: Int, token: CancellationToken
    ) async throws(Failure) -> RemoteFile.End {
        var isWhole = false
        if let end = try await part("-\(count)", of: request, limit: count, token: token, isWhole: &isWhole) {
            guard end.isPart else { return .whole(end.body) }
            guard let file = RemoteFile(end) else { return .unsupported }
            let range = max(0, file.size - count)..<file.size
            return file.has(range, end) ? .part(file, end.body) : .unsupported
        }
        // Some servers do not count from the end. One that sends the whole file knows no ranges.
        guard !isWhole, let start = try await part("0-3", of: request, limit: count, token: token, isWhole: &isWhole),
            let file = RemoteFile(start),
            file.has(0..<min(4, file.size), start), file.size > 0
        else { return .unsupported }
        let range = max(0, file.size - count)..<file.size
        guard let end = try await part(of: file, range, request, token: token) else { return .unsupported }
        return .part(file, end)
    }

    /// Requests a part of a version of a file; returns `nil` if the server has another version now.
    package func part(
        of file: RemoteFile, _ range: Range<Int>, _ request: Request, token: CancellationToken
    ) async throws(Failure) -> [UInt8]? {
        let bytes = "\(range.lowerBound)-\(range.upperBound - 1)"
        var isWhole = false
        guard let response = try await part(bytes, of: request, limit: range.count, token: token, isWhole: &isWhole),
            file.has(range, response)
        else { return nil }
        return response.body
    }

    /// Returns the response with a part, or with a whole file that is not longer than the limit; `nil` if the server
    /// sends no such part, with `isWhole` if it began to send the whole file.
    private func part(
        _ bytes: String, of request: Request, limit: Int, token: CancellationToken, isWhole: inout Bool
    ) async throws(Failure) -> Response? {
        var request = request
        (request.range, request.limit) = ("bytes=\(bytes)", limit)
        do throws(Failure) { return try await fetch(request, token: token) } catch {
            isWhole = error.cause == .tooLarge
            switch error.cause {
            case .tooLarge, .contentEncoding, .emptyBody, .unexpectedStatus, .httpClientError(400),
                .httpClientError(416):
                return nil
            default: throw error
            }
        }
    }
}
