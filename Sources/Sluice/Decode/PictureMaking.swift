// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Something that makes the thumbnails of one picture at a time: the seam between a run and the codecs.
protocol PictureMaking: Sendable {
    /// Gets ready for a picture, if that takes a while.
    func prepare()

    /// The process that makes them, if it is another one that stands ready.
    var process: Int32? { get }

    /// Makes the thumbnails of a picture whose header was read from the open file, and says what that took; blocks
    /// until it is over.
    func thumbnails(
        of picture: OpenPicture, in descriptor: Int32, token: Token, timing times: inout PictureTimes
    ) throws(Failure) -> PictureResult
}

/// Makes them in this process.
struct OwnPictures: PictureMaking {
    let thumbnailer: Thumbnailer

    func prepare() {}

    var process: Int32? { nil }

    func thumbnails(
        of picture: OpenPicture, in descriptor: Int32, token: Token, timing times: inout PictureTimes
    ) throws(Failure) -> PictureResult {
        do throws(ImagingError) {
            return try thumbnailer.thumbnails(of: picture, interrupt: Interrupt { token.isCancelled }, timing: &times)
        } catch {
            throw token.cause.map { Failure($0, "") } ?? Failure(error)
        }
    }
}
