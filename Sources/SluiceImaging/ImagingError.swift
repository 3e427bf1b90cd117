// SPDX-License-Identifier: MIT

/// Why a picture could not be read or made.
public struct ImagingError: Error, Sendable, Hashable {
    /// The reason, from a closed list; the raw values are the names that reports use.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The content is no picture that is known.
        case notAnImage = "not-an-image"
        /// There is no content.
        case emptyInput = "empty-body"
        /// The file ends before the picture does.
        case truncated
        /// The content contradicts itself.
        case corrupt
        /// It is a picture, of a kind that is not decoded.
        case unsupported
        /// The header claims more pixels than allowed.
        case tooManyPixels = "too-many-pixels"
        /// A progressive JPEG has more scans than allowed.
        case tooManyScans = "too-many-scans"
        /// A chunk claims what cannot be.
        case badChunk = "bad-chunk"
        /// The decode would take more time or memory than allowed.
        case decodeLimit = "decode-limit"
        /// Whoever asked for it wants it no more.
        case cancelled
        /// The file could not be read.
        case disk
        /// An encoder refused what it must take: a bug of ours.
        case `internal`
    }

    /// The reason.
    public var code: Code
    /// The evidence in a few words, like `65535x65535 (limit 100000000)`.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension ImagingError: CustomStringConvertible {
    /// `too-many-pixels: 65535x65535 (limit 100000000)`.
    public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}
