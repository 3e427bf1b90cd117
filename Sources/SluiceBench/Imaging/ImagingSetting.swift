// SPDX-License-Identifier: MIT

public import SluiceImaging

/// The work and options that an imaging benchmark varies.
public struct ImagingSetting: Sendable, Hashable {
    /// The measured work.
    public enum Work: String, Sendable, Hashable, CaseIterable {
        /// Decoding, resampling and encoding.
        case thumbnail
        /// Encoding a picture's pixels at full size.
        case encode
    }

    /// The measured work.
    public var work: Work
    /// The format to decode, or to encode if only encoding is measured.
    public var format: ImageFormat
    /// The picture's width in pixels.
    public var width: Int
    /// The quality mode.
    public var mode: ThumbnailOptions.QualityMode
    /// The number of workers.
    public var workers: Int

    /// The name in exported results; comparisons match points by it.
    var name: String {
        let modeName = work == .thumbnail ? "\(mode.rawValue), " : ""
        return
            "\(work.rawValue) \(format.name) \(width), \(modeName)\(workers == 1 ? "1 worker" : "\(workers) workers")"
    }
}
