// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// What went wrong; `nil` if nothing did.
func failure<Result>(_ body: () throws(ImagingError) -> Result) -> ImagingError? {
    do throws(ImagingError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// What a thumbnailer says of a file; `nil` if it takes it.
func failure(of file: [UInt8], _ options: ThumbnailOptions = ThumbnailOptions()) -> ImagingError? {
    failure { () throws(ImagingError) in try Thumbnailer(options).thumbnails(of: file) }
}

/// The pixels of a file, neither turned nor converted.
func decode(_ file: [UInt8]) throws -> Raster { try Raster(decoding: PictureBytes(file)) }
