// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Checks that a downloaded file is a complete picture, and has the download retried if it is not.
///
/// HTTP alone does not always reveal a truncated body.
final class ArrivalCheck: Sendable {
    private struct Finding: Sendable {
        var sha256: String
        var result: Result<ThumbnailResult, Failure>
    }

    /// Decodes the file in its current state.
    let inspect: @Sendable () throws(Failure) -> ThumbnailResult
    private let latest = Locked<Finding?>(nil)

    init(_ inspect: @escaping @Sendable () throws(Failure) -> ThumbnailResult) { self.inspect = inspect }

    /// Throws if the picture is damaged and another attempt may deliver an intact one.
    ///
    /// If a second attempt delivers the same bytes, the host has no other ones, and the call succeeds.
    func validate(_ response: Response) throws(Failure) {
        let earlier = latest.withLock { $0?.sha256 }
        let result: Result<ThumbnailResult, Failure>
        do throws(Failure) { result = .success(try inspect()) } catch { result = .failure(error) }
        latest.withLock { $0 = Finding(sha256: response.sha256, result: result) }
        if case .failure(var failure) = result, failure.cause.isRetryable, earlier != response.sha256 {
            failure.status = response.status
            throw failure
        }
    }

    /// Returns the result for the received file, and decodes the file if `validate` was not called for it.
    func result(for response: Response) throws(Failure) -> ThumbnailResult {
        if let latest = latest.withLock(\.self), latest.sha256 == response.sha256 { return try latest.result.get() }
        return try inspect()
    }
}
