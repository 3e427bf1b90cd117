// SPDX-License-Identifier: MIT

/// Everything that a file's header declares: the public facts, and details for the decoders.
struct ImageHeader {
    /// The maximum size of an embedded colour profile in bytes; larger ones are ignored.
    static let maxProfileBytes = 4 << 20

    var info: ImageInfo
    /// Whether the images are frames of an animation, even if there is only one.
    var isAnimated = false
    /// How often an animation is played; 0 means for ever.
    var loops = 0
    /// The part of the decoded image that the file shows; `nil` for all of it.
    var crop: HEIFCrop?
    /// The sizes of smaller copies of the image that the file has besides.
    var reducedSizes: [(width: Int, height: Int)] = []
    /// The memory in bytes that the decoder needs for the whole image, whatever size it decodes to.
    var wholeImageBytes = 0
    /// The memory in bytes that Sluice's own decoder needs in addition; without it, the format's library decodes.
    var ownDecoderBytes = 0
    /// The memory in bytes that the decoder which finds the most damage needs in addition; without it, another decodes.
    var checkingDecoderBytes = 0
    /// The number of MCUs between a JPEG's restart markers; 0 if it has none.
    var restartInterval = 0
    /// The first 16 steps, in zigzag order, with which a JPEG's brightness is quantised; empty for other formats.
    var luminanceTable: [Int] = []
    /// The byte ranges of the colour profile's parts, in order.
    var profileRanges: [Range<Int>] = []
    /// The colours that take precedence over an embedded profile, if the file states any.
    var overridingColors: Colorimetry?
    /// The colours of a file without an embedded profile; `nil` for sRGB.
    var fallbackColors: Colorimetry?
    /// The colours of a picture of high dynamic range, which precede all others; decoders deliver it in sRGB.
    var dynamicRange: HighDynamicRange?
    /// The EXIF block; `nil` if it is missing or too large.
    private(set) var exif: [UInt8]?
    /// Whether the EXIF block states an orientation, even an impossible one.
    private(set) var statesOrientation = false
    /// The byte ranges of XMP and IPTC data.
    var creditLocations = CreditLocations()
    /// The byte ranges of the parts of a C2PA manifest store, in order.
    var manifestRanges: [Range<Int>] = []
    /// Harmless irregularities in the header.
    var notes: [String] = []

    init(_ info: ImageInfo) { self.info = info }

    /// Stores an EXIF block and reads its orientation; an invalid block becomes a note.
    mutating func readEXIF(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        exif = block
        do {
            guard let orientation = try EXIFBlock.orientation(in: block) else { return }
            statesOrientation = true
            if (1...8).contains(orientation) {
                info.orientation = orientation
            } else {
                notes.append("EXIF ignored: orientation \(orientation)")
            }
        } catch {
            notes.append("EXIF ignored: \(error.reason)")
        }
    }
}
