// SPDX-License-Identifier: MIT

internal import CSluice

/// An error that occurred while reading, decoding or encoding an image.
public struct ImagingError: Error, Sendable, Hashable {
    /// The kind of error; the raw values are the causes that reports use.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The content is not an image of any known format.
        case notAnImage = "not-an-image"
        /// The input has no bytes.
        case emptyInput = "empty-body"
        /// The file ends before the image does.
        case truncated
        /// The content is invalid or contradicts itself.
        case corrupt
        /// The image is of a kind that this library does not decode.
        case unsupported
        /// The header declares more pixels than allowed.
        case tooManyPixels = "too-many-pixels"
        /// A progressive JPEG has more scans than allowed.
        case tooManyScans = "too-many-scans"
        /// A chunk declares an impossible size, or there are too many chunks.
        case badChunk = "bad-chunk"
        /// The decode would take more time or memory than allowed.
        case decodeLimit = "decode-limit"
        /// The caller cancelled the work.
        case cancelled
        /// The file could not be read.
        case disk
        /// An encoder rejected valid input, which is a bug in Sluice.
        case `internal`
    }

    /// The kind of error.
    public var code: Code
    /// The details, for example `65535x65535 (limit 100000000)`.
    public var detail: String
    /// The format of a file that cannot be read or decoded; `nil` if it is unknown or the pixels are damaged.
    public private(set) var format: ImageFormat?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension ImagingError {
    /// Returns the error with the format of the file.
    package func of(_ format: ImageFormat) -> ImagingError {
        var error = self
        error.format = format
        return error
    }
}

extension ImagingError: CustomStringConvertible {
    /// The code and the details, for example `too-many-pixels: 65535x65535 (limit 100000000)`.
    public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}

extension ImagingError {
    /// Converts a C codec's status into an error; `nil` if the call succeeded.
    init?(status: CodecStatus, _ message: @autoclosure () -> String) {
        switch status {
        case .ok: return nil
        case .corrupt: self.init(.corrupt, message())
        case .truncated: self.init(.truncated, message())
        case .unsupported: self.init(.unsupported, message())
        case .memory: self.init(.decodeLimit, message())
        case .disk: self.init(.disk, message())
        }
    }
}
