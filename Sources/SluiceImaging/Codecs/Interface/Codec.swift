// SPDX-License-Identifier: MIT

/// Everything that Sluice knows about one image format.
///
/// A format without a decoder is only recognised, so that messages can name it. A format without an encoder can be read
/// but not written.
struct Codec: Sendable {
    let format: ImageFormat
    /// The format's name in prose, for example `WebP`.
    let title: String
    /// The media type in HTTP, for example `image/webp`.
    let mediaType: String
    /// The usual file name extensions in lower case, without the dot; Sluice writes the first one.
    let fileExtensions: [String]
    /// The signatures, each of which identifies the format.
    let signatures: [ImageSignature]
    /// Reads headers and pixels; `nil` if Sluice cannot read the format.
    var decoder: (any ImageDecoding)?
    /// Reads the size that the header of a file states, for formats that are only recognised.
    var statedSize: (@Sendable (inout ByteWindow) throws(ImagingError) -> (width: Int, height: Int)?)?
    /// Writes files; `nil` if Sluice cannot write the format.
    var encoder: (any ImageEncoding)?
    /// Returns a file with metadata, or `nil` if it stays as it is; `nil` if Sluice writes no metadata of the format.
    var embed: (@Sendable (EmbeddedMetadata, [UInt8]) -> [UInt8]?)?
    /// Reads and writes gain maps in files of the format; `nil` if Sluice does not.
    var gainMaps: (any GainMapHandling)?
    /// Loads the library at run time; `nil` if Sluice is linked with it.
    var loader: CodecLoader?
    /// Whether the library has a poor security record.
    ///
    /// Sluice works without such a library. It loads it only in sandboxed processes that need it, and refuses pictures
    /// of the format unless the options allow it.
    var isRestricted = false
    /// The C library that Sluice is linked with for this format; `nil` if there is none.
    var linkedLibrary: CodecVersion?
    /// Creates a file with the self-test's picture, for formats that can be read but not written.
    var makeTestFile: (@Sendable () -> [UInt8]?)?

    static let testPicture = Raster(
        width: 16, height: 16, layout: .rgb,
        bytes: (0..<768).map { (sample: Int) -> UInt8 in UInt8(sample / 48 * 8 + sample % 3 * 40) })
}

/// Loads the library of a codec at run time.
struct CodecLoader: Sendable {
    /// The library's package in Debian.
    let package: String
    /// Loads the library into this process; returns whether it is there.
    let load: @Sendable () -> Bool
    /// The loaded library; `nil` if it is not loaded.
    let library: @Sendable () -> CodecVersion?
}

extension ImageFormat {
    /// The formats that are read only if ``ThumbnailOptions/allowedFormats`` names them, in sandboxed processes.
    public static let restricted = Set(Codecs.all.filter(\.isRestricted).map(\.format))

    /// The formats whose libraries are loaded at run time.
    package static let loadable = Set(Codecs.all.filter { $0.loader != nil }.map(\.format))

    /// Loads the libraries of these formats that are installed.
    ///
    /// A process calls this before it gives up the right to open files. Name restricted formats only in processes that
    /// can do nothing but decode.
    package static func loadLibraries(of formats: Set<ImageFormat>) {
        for codec in Codecs.all where formats.contains(codec.format) { _ = codec.loader?.load() }
    }
}

extension ThumbnailOptions {
    /// The allowed formats whose libraries are loaded at run time.
    package var libraries: Set<ImageFormat> {
        ImageFormat.loadable.subtracting(ImageFormat.restricted.subtracting(allowedFormats))
    }

    /// Those of ``libraries`` that thumbnails of pictures of a format need.
    package func libraries(for picture: ImageFormat) -> Set<ImageFormat> {
        guard case .fixed(let thumbnail) = format else { return libraries.intersection([picture]) }
        return libraries.intersection([picture, thumbnail])
    }

    /// Throws `unsupported` if the format is restricted, and not allowed.
    package func check(_ format: ImageFormat) throws(ImagingError) {
        guard ImageFormat.restricted.contains(format), !allowedFormats.contains(format) else { return }
        throw ImagingError(.unsupported, "\(format.title) is read only if it is allowed").of(format)
    }
}

/// The name and the version of a codec library.
package struct CodecVersion: Sendable, Hashable {
    package let name: String
    /// The version at run time; for libjpeg-turbo, that of the header it was compiled with.
    package let version: String

    init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// Creates a version from a number of three parts, for example 10639 with base 100 as `1.6.39`.
    init(name: String, number: Int, base: Int) {
        self.init(name: name, version: "\(number / base / base).\(number / base % base).\(number % base)")
    }
}

/// A format's signature: byte sequences at fixed offsets near the start of the file, or a test of the first bytes.
struct ImageSignature: Sendable {
    /// The number of bytes at the start of a file that suffice for every signature.
    static let maxBytes = 4096

    private let parts: [(offset: Int, bytes: [UInt8])]
    private var test: (@Sendable ([UInt8]) -> Bool)?

    init(_ parts: (Int, [UInt8])...) {
        self.parts = parts.map { (offset: $0.0, bytes: $0.1) }
    }

    /// Creates the signature of a file that starts with these bytes.
    init(_ bytes: UInt8...) { self.init((0, bytes)) }

    /// Creates the signature of an ISO base media file (such as AVIF) with this major brand.
    ///
    /// Such a file starts with the length of its first box in four bytes, which is far below 65536.
    init(brand: String) { self.init((0, [0, 0]), (4, Array("ftyp\(brand)".utf8))) }

    /// Creates a signature that a function recognises in a file's first bytes.
    init(test: @escaping @Sendable ([UInt8]) -> Bool) {
        parts = []
        self.test = test
    }

    func matches(_ bytes: [UInt8]) -> Bool {
        parts.allSatisfy { bytes.dropFirst($0.offset).starts(with: $0.bytes) } && test?(bytes) != false
    }

    /// Returns whether the bytes match the signature up to their end, but end before the signature does.
    func isPartialMatch(_ bytes: [UInt8]) -> Bool {
        guard let end = parts.map({ $0.offset + $0.bytes.count }).max(), bytes.count < end else { return false }
        // The signature of some formats begins after other bytes, which every short file could have.
        guard parts.contains(where: { $0.offset < bytes.count }) else { return false }
        return parts.allSatisfy { $0.bytes.starts(with: bytes.dropFirst($0.offset).prefix($0.bytes.count)) }
    }
}

/// Decodes a format whose files consist of HEIF items, and keeps the decoded planes in memory as a whole.
protocol HEIFDecoding: ImageDecoding {}

extension HEIFDecoding {
    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        try HEIFItems.checkCompleteness(of: input, watchdog: watchdog)
    }

    /// Counts the file, the decoded planes and a band of rows.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes + YUVConverter.memory(for: header)
    }
}

extension ImageHeader {
    /// Sets the size of the decoded planes, which `count` computes from the number of pixels and the bytes of a sample.
    mutating func setWholeImageBytes(_ count: (_ pixels: Int, _ sampleBytes: Int) -> Int) {
        let (pixels, overflow) = decodedInfo.width.multipliedReportingOverflow(by: decodedInfo.height)
        // The pixel limit rejects a larger picture.
        guard !overflow, pixels < 1 << 48 else { return }
        wholeImageBytes = count(pixels, info.bitDepth > 8 ? 2 : 1)
    }
}
