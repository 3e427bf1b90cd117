// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Creates the thumbnails of one picture at a time.
///
/// It separates a run from the codecs.
protocol ThumbnailMaking: Sendable {
    /// The process ID of the decode worker; `nil` if none is running.
    var processID: Int32? { get }

    /// Creates the thumbnails of a picture and reports how long that took. Blocks until it has finished.
    ///
    /// The picture's header has been read from the same open file.
    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(DecodingError) -> ThumbnailResult
}

/// Decodes pictures of restricted formats in a worker, and all others in this process.
struct FormatDependentDecoder: ThumbnailMaking {
    private let usual: InProcessDecoder
    private let sandboxed: SandboxedDecoder

    init(_ usual: InProcessDecoder, _ sandboxed: SandboxedDecoder) {
        (self.usual, self.sandboxed) = (usual, sandboxed)
    }

    var processID: Int32? { sandboxed.processID }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(DecodingError) -> ThumbnailResult {
        guard ImageFormat.restricted.contains(picture.info.format) else {
            return try usual.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
        }
        do throws(DecodingError) {
            return try sandboxed.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
        } catch {
            // The run can do without such pictures.
            guard case .noWorker(let reason, _) = error else { throw error }
            throw .failed(Failure(.unsupported, "\(picture.info.format.title) needs a sandboxed process: \(reason)"))
        }
    }
}

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

/// The reason why a decoder made no thumbnails of a picture.
enum DecodingError: Error {
    /// The picture cannot be decoded, or its item was cancelled.
    case failed(Failure)
    /// The picture crashed the decode worker. Only this counts towards its quarantine.
    case crashed(Failure)
    /// No acceptable decode worker can be started, so the run cannot decode anything.
    ///
    /// The text is a sentence for the user.
    case noWorker(String, hint: Hint)
}
