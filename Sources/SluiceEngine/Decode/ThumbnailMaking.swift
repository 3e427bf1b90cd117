// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Makes the thumbnails of one picture at a time.
///
/// It separates a run from the codecs.
protocol ThumbnailMaking: Sendable {
    /// The process ID of the decode worker; `nil` if none is running.
    var processID: Int32? { get }

    /// Makes the thumbnails of a picture and reports how long that took. Blocks until it has finished.
    ///
    /// The picture's header has been read from the same open file.
    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(DecodingError) -> ThumbnailResult
}

/// Decodes pictures in this process.
struct InProcessDecoder: ThumbnailMaking {
    let thumbnailer: Thumbnailer

    var processID: Int32? { nil }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(DecodingError) -> ThumbnailResult {
        do throws(ImagingError) {
            return try thumbnailer.thumbnails(
                of: picture, cancellation: CancellationCheck { token.isCancelled }, timing: &times)
        } catch {
            throw .failed(token.cause.map { Failure($0, "") } ?? Failure(error))
        }
    }
}
