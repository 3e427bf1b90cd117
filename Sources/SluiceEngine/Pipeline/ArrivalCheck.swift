// SPDX-License-Identifier: MIT

package import SluiceImaging
package import SluiceModel
package import SluiceTransfer

/// A complete file: its header, read once for all later steps, and the result of the completeness check.
package struct ArrivedPicture: Sendable {
    let image: OpenedImage
    /// Why the file counts as complete only because damaged pictures are salvaged.
    let damage: ImagingError?
    let notes: [String]
    /// Why the download is repeated although only the end marker seems to be missing.
    ///
    /// If the host has no more bytes, decoding shows whether any pixels are missing.
    var missingEnd: Failure?
    /// The photo, if the file has only its preview.
    var previewed: PreviewedPhoto?

    package var info: ImageInfo {
        var info = image.info
        if let previewed { (info.width, info.height) = (previewed.width, previewed.height) }
        return info
    }
}

/// Checks that a downloaded file is a complete picture, and has the download retried if it is not.
///
/// HTTP alone does not always reveal a truncated body.
package final class ArrivalCheck: Sendable {
    private struct Finding: Sendable {
        var sha256: String
        var result: Result<ArrivedPicture, Failure>
    }

    /// Reads the header of the file in its current state, and checks that the file is complete.
    let inspect: @Sendable () throws(Failure) -> ArrivedPicture
    private let latest = Locked<Finding?>(nil)

    /// The SHA-256 of the file that an earlier run received.
    private let earlier: String?

    init(after earlier: String? = nil, _ inspect: @escaping @Sendable () throws(Failure) -> ArrivedPicture) {
        (self.earlier, self.inspect) = (earlier, inspect)
    }

    /// Throws if the picture is damaged and another attempt may deliver an intact one.
    ///
    /// If a second attempt delivers the same bytes, the host has no other ones, and the call succeeds.
    package func validate(_ response: Response) throws(Failure) {
        let earlier = latest.withLock { $0?.sha256 } ?? earlier
        let result: Result<ArrivedPicture, Failure>
        do throws(Failure) { result = .success(try inspect()) } catch { result = .failure(error) }
        latest.withLock { $0 = Finding(sha256: response.sha256, result: result) }
        let failure: Failure?
        switch result {
        case .success(let picture): failure = picture.missingEnd
        case .failure(let error): failure = error
        }
        if var failure, failure.cause.isRetryable, earlier != response.sha256 {
            failure.status = response.status
            throw failure
        }
    }

    /// Returns the result for the received file, and checks the file if `validate` was not called for it.
    package func result(for response: Response) throws(Failure) -> ArrivedPicture {
        let known = latest.withLock(\.self).flatMap { $0.sha256 == response.sha256 ? $0.result : nil }
        var picture = if let known { try known.get() } else { try inspect() }
        picture.previewed = response.stopped?.previewed
        return picture
    }
}
