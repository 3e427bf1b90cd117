// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Returns the error that `body` throws; `nil` if it throws none.
func failure<Result>(_ body: () throws(ImagingError) -> Result) -> ImagingError? {
    do throws(ImagingError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// Returns a thumbnailer's error for a file; `nil` if it succeeds.
func failure(of file: [UInt8], _ options: ThumbnailOptions = ThumbnailOptions()) -> ImagingError? {
    failure { () throws(ImagingError) in try Thumbnailer(options).thumbnails(of: file) }
}

/// Decodes a file's pixels without rotation or colour conversion.
func decode(_ file: [UInt8]) throws -> Raster { try Raster(decoding: ImageInput(file)) }
