// SPDX-License-Identifier: MIT

public import SluiceImaging

/// One kind of work for the codecs: what a bench of imaging varies.
public struct ImagingSetting: Sendable, Hashable {
    /// What is measured of a picture's way.
    public enum Work: String, Sendable, Hashable, CaseIterable {
        /// All of it: decode, make smaller, encode.
        case thumbnail
        /// The encoder alone, on the pixels of a picture of that side.
        case encode
    }

    /// What is measured.
    public var work: Work
    /// The format that is read, or written where only that is measured.
    public var format: ImageFormat
    /// The picture's width.
    public var width: Int
    /// What time is spent on quality.
    public var mode: ThumbnailOptions.QualityMode
    /// How many pictures are worked on at once.
    public var workers: Int

    /// All of it in words.
    var name: String {
        let way = work == .thumbnail ? "\(mode.rawValue), " : ""
        return "\(work.rawValue) \(format.name) \(width), \(way)\(workers == 1 ? "1 worker" : "\(workers) workers")"
    }
}
