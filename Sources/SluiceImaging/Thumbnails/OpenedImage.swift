// SPDX-License-Identifier: MIT

/// An image whose header has been read and checked against the limits.
package struct OpenedImage: Sendable {
    private(set) var input: ImageInput
    let header: ImageHeader
    /// The estimated memory of a decode in bytes, from the header and the requested sizes.
    package internal(set) var memory = 0
    /// Whether only the format's library may decode, because the options say so or because it takes less memory.
    var usesReference = false
    /// Whether there is memory for the decoder that finds the most damage.
    var usesCheckingDecoder = true
    /// The thread that may share the decode.
    package var spareThread: SpareThread?
    /// Whether the estimated memory includes that of a second thread.
    var allowsSecondThread = false
    /// The damage found while reading the header, if the options salvage damaged files.
    var damage: ImagingError?
    /// Whether the end marker was added, so that no irregularity of the pixels is harmless.
    private(set) var isCompleted = false

    init(input: ImageInput, header: ImageHeader, damage: ImagingError? = nil) {
        (self.input, self.header, self.damage) = (input, header, damage)
    }

    /// Returns the image with the same header in a file that has the missing end marker.
    func completed(by input: ImageInput) -> OpenedImage {
        var image = self
        (image.input, image.isCompleted) = (input, true)
        return image
    }

    /// Adds the memory of a second thread if the sum is within the limit; otherwise one thread decodes.
    mutating func addSecondThread(_ bytes: Int, within limit: Int) {
        allowsSecondThread = bytes > 0 && memory + bytes <= limit
        if allowsSecondThread { memory += bytes }
    }

    /// The memory that the decoder which finds the most damage takes in addition.
    var checkingBytes: Int { usesCheckingDecoder ? header.checkingDecoderBytes : 0 }

    /// The properties declared by the header.
    package var info: ImageInfo { header.info }

    /// The first 16 steps, in zigzag order, with which a JPEG's brightness is quantised; empty for other formats.
    package var luminanceTable: [Int] { header.luminanceTable }

    /// The facts that the camera recorded; `nil` if there are none.
    package func camera(withPlace: Bool) -> CameraFacts? {
        header.exifReader(in: input).flatMap { CameraFacts($0, withPlace: withPlace) }
    }
}

extension OpenedImage {
    /// The statements in XMP (IPTC's property Data Mining) and in the C2PA manifest, whose signature is not verified.
    ///
    /// Those that are damaged or too large are left out.
    public var usageAssertions: [UsageAssertion] { header.usageAssertions(in: input) }
}

extension ImageDecoding {
    /// Memory that every decode takes: the codec's tables and buffers, and the rows in progress.
    private static var baseMemory: Double { 1_048_576 }

    /// Estimates the memory in bytes of a decode for these scalers; `count` is the file's size in bytes.
    func memory(for header: ImageHeader, count: Int, _ scalers: ScalerSet, isLinear: Bool) -> Int {
        let size = size(of: header, minimumSize: scalers.minimumSize)
        var shape = RowShape(of: header.info, width: size.width, height: size.height)
        if isLinear { shape.depth = 16 }
        let memory = Double(memory(for: header, count: count, size: size)) + scalers.memory(shape) + Self.baseMemory
        return Int(min(memory, 1e18))
    }
}

extension Raster {
    /// Decodes a whole image as stored, without rotation or colour conversion.
    init(
        decoding input: ImageInput, limits: ImageLimits = ImageLimits(), watchdog: DecodeWatchdog? = nil
    ) throws(ImagingError) {
        let header = try ImageHeader(of: input)
        try header.info.check(limits)
        let decoder = try Codecs.decoder(for: header.info.format)
        try self.init(of: header.info) { (rows) throws(ImagingError) in
            let job = DecodeJob(
                input: input, header: header, minimumSize: rows.minimumSize, limits: limits,
                watchdog: watchdog ?? DecodeWatchdog(.never, seconds: limits.seconds))
            _ = try decoder.decode(job, into: rows)
        }
    }

    /// Collects the rows of a whole image from `deliver`.
    init(
        of info: ImageInfo, from deliver: (_ rows: ScalerSet) throws(ImagingError) -> Void
    ) throws(ImagingError) {
        let size = ThumbnailSize(width: info.width, height: info.height)
        let rows = ScalerSet([ScaleGeometry(width: info.width, height: info.height, into: size, .inside)], of: info)
        try deliver(rows)
        self = rows.finish()[0]
    }
}

/// Finds out, while a file arrives, how many of its first bytes suffice for its thumbnails.
///
/// A progressive JPEG has such a prefix: it ends after the scans that the scale of the decode needs. ``ending``
/// completes it to a file. Thumbnails of that file are the same as those of the whole file without its other scans.
///
/// With ``ThumbnailOptions/QualityMode/fast``, the EXIF preview of any JPEG also suffices for thumbnails that are no
/// larger. The prefix is then the photo's metadata, and ``ending`` the preview's picture.
package struct SufficientPrefix: Sendable {
    private var finders: [any PrefixFinding]
    /// The number of the file's first bytes to complete, once enough bytes have arrived.
    package private(set) var count: Int?
    /// The bytes that complete the prefix to a file.
    package private(set) var ending: [UInt8] = []
    /// The photo, if the completed file has only its preview.
    package private(set) var previewed: ImageInfo?

    /// Starts before a file's first byte.
    package init(_ options: ThumbnailOptions) {
        let thumbnailer = Thumbnailer(options)
        let goal = PrefixGoal(
            minimumSize: { (header) throws(ImagingError) in
                try header.info.check(options.limits)
                return try thumbnailer.minimumSize(of: header)
            },
            // A part of a damaged preview would replace an intact photo.
            acceptsPreview: options.qualityMode == .fast && !options.salvages)
        // A gain map is at the end of the file.
        let needsAll = options.sizes.isEmpty || options.dynamicRange == .keep
        finders = needsAll ? [] : Codecs.all.compactMap { $0.decoder?.makePrefixFinder(for: goal) }
    }

    /// Reads the next bytes of the file.
    package mutating func receive(_ bytes: Span<UInt8>) {
        guard count == nil else { return }
        for index in finders.indices {
            finders[index].receive(bytes)
            guard let found = finders[index].count else { continue }
            (count, ending, previewed) = (found, finders[index].ending, finders[index].previewed)
        }
    }
}
