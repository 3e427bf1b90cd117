// SPDX-License-Identifier: MIT

public import SluiceImaging
public import SluiceModel

/// What a run over files is asked to do; every option has the command's default.
public struct ThumbnailRunOptions: Sendable {
    /// What thumbnails to make, and the limits that pictures must keep.
    public var thumbnails = ThumbnailOptions()
    /// How many pictures are decoded at once; `nil` takes the machine's cores.
    public var jobs: Int?
    /// How much memory what is in flight takes together; a picture whose decode alone takes more is refused.
    public var memory = 512 << 20
    /// Where pictures are decoded.
    public var isolation = Isolation.none
    /// Whether pictures are decoded that ended their decoder twice.
    public var retriesQuarantined = false
    /// The most bytes that a file may have.
    public var maxBytes = 1 << 30
    /// What ends the run early.
    public var limits = RunLimits()
    /// What of the run's work outlives a power cut.
    public var durability = Durability.batch
    /// Whether the folder may be another user's that still others may write to.
    public var mayShareFolder = false
    /// Whether the gallery is written.
    public var writesGallery = true
    /// What of the gallery's look is changed, from this run on.
    public var look = GalleryLook()
    /// A file for the run's course in Chrome's trace format; `nil` writes none.
    public var trace: String?
    /// A file for the run's numbers in Prometheus' text format, while it runs and at its end; `nil` writes none.
    public var metrics: String?
    /// The command's words, from its name on: the ledger keeps them, so that a repair can ask again in the same way.
    public var words: [String] = []

    /// Makes the defaults.
    public init() {}
}

extension ThumbnailOptions {
    /// A short word for all that decides a thumbnail's bytes: what is up to date for one is so for another alike.
    ///
    /// It is read off the value itself, so that no option can be forgotten here. Sizes are left out, because each
    /// thumbnail tells its own, and so are limits and salvage, which decide whether there is a thumbnail and not what it is.
    var fingerprint: String {
        var options = self
        options.sizes = []
        options.limits = ImageLimits()
        options.salvages = false
        return Fingerprint(Self.words(of: options)).text
    }

    private static func words(of value: Any) -> String {
        let parts = Swift.Mirror(reflecting: value)
        guard !parts.children.isEmpty else { return "\(value)" }
        var words = parts.children.map { "\($0.label ?? ""):\(Self.words(of: $0.value))" }
        // A set has another order in every process.
        if parts.displayStyle == .set || parts.displayStyle == .dictionary { words.sort() }
        return "(\(words.joined(separator: ",")))"
    }
}
