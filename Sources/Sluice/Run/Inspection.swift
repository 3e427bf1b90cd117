// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Looks at a photo once it is there, and has its host asked again if it ends too early: HTTP alone does not always tell.
final class Inspection: Sendable {
    private struct Finding: Sendable {
        var sha256: String
        var result: Result<PictureResult, Failure>
    }

    /// Looks at the file as it is now.
    let look: @Sendable () throws(Failure) -> PictureResult
    private let latest = Locked<Finding?>(nil)

    init(_ look: @escaping @Sendable () throws(Failure) -> PictureResult) { self.look = look }

    /// Refuses a picture that another attempt may bring whole; what comes the same once more is what the host has.
    func pass(_ response: Response) throws(Failure) {
        let earlier = latest.withLock { $0?.sha256 }
        let result: Result<PictureResult, Failure>
        do throws(Failure) { result = .success(try look()) } catch { result = .failure(error) }
        latest.withLock { $0 = Finding(sha256: response.sha256, result: result) }
        if case .failure(var failure) = result, failure.cause.isWorthRetry, earlier != response.sha256 {
            failure.status = response.status
            throw failure
        }
    }

    /// What was found of the file that has arrived; one that came another way is looked at now.
    func result(for response: Response) throws(Failure) -> PictureResult {
        if let latest = latest.withLock(\.self), latest.sha256 == response.sha256 { return try latest.result.get() }
        return try look()
    }
}
