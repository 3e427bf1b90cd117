// SPDX-License-Identifier: MIT

public import SluiceImaging
public import SluiceModel

/// Options of a run over local files.
///
/// The defaults are those of the command.
public struct ThumbnailRunOptions: Sendable {
    /// The thumbnails to make, and the limits for pictures.
    public var thumbnails = ThumbnailOptions()
    /// The maximum number of concurrent decodes; `nil` for the number of cores.
    public var jobs: Int?
    /// The memory in bytes for everything in flight.
    ///
    /// A picture that needs more for its decode alone is refused.
    public var memory = 512 << 20
    /// Where pictures are decoded.
    public var isolation = Isolation.none
    /// Whether to decode pictures that crashed the decoder twice.
    public var retriesQuarantined = false
    /// The maximum size of a file in bytes.
    public var maxBytes = 1 << 30
    /// Limits that end the run early.
    public var limits = RunLimits()
    /// When files are flushed to disk.
    public var durability = Durability.batch
    /// Whether the folder may belong to another user and be writable by others.
    public var allowsUntrustedFolder = false
    /// Whether to write the gallery.
    public var writesGallery = true
    /// Changes to the gallery's appearance.
    ///
    /// They apply to later runs as well.
    public var appearance = GalleryAppearance()
    /// The file for a timeline of the run in Chrome's trace format; `nil` for none.
    public var trace: String?
    /// The file for metrics in Prometheus' text format, written during the run and at its end; `nil` for none.
    public var metrics: String?
    /// The command and its arguments.
    ///
    /// The ledger stores them so that a repair can repeat the command.
    public var commandLine: [String] = []

    /// Makes the default options.
    public init() {}
}
