// SPDX-License-Identifier: MIT

package import SluiceImaging

/// The work and options that an imaging benchmark varies.
package struct ImagingSetting: Sendable, Hashable {
    /// The measured work.
    package enum Work: String, Sendable, Hashable, CaseIterable {
        /// Decoding, resampling and encoding.
        case thumbnail
        /// Encoding a picture's pixels at full size.
        case encode
    }

    /// The measured work.
    package var work: Work
    /// The format to decode, or to encode if only encoding is measured.
    package var format: ImageFormat
    /// The picture's width in pixels.
    package var width: Int
    /// The quality mode.
    package var mode: ThumbnailOptions.QualityMode
    /// The number of workers.
    package var workers: Int

    /// The name in exported results; comparisons match points by it.
    var name: String {
        let modeName = work == .thumbnail ? "\(mode.rawValue), " : ""
        return
            "\(work.rawValue) \(format.name) \(width), \(modeName)\(workers == 1 ? "1 worker" : "\(workers) workers")"
    }
}
