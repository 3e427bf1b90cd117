// SPDX-License-Identifier: MIT

internal import Foundation
internal import SluiceImaging

/// The functions that process untrusted bytes.
///
/// A trap, a sanitizer report or a violated precondition is a crash, whose input libFuzzer saves.
enum FuzzTarget {
    /// The header parsers and completeness checks of all formats.
    case probe
    /// Everything that happens to a file of one format.
    case codec(ImageFormat)
    /// Everything that happens to a raw photo, of any camera.
    case raw
    /// Both decoders of JPEG and of PNG, which must agree.
    case decoders
    /// One format's encoder with all options, colour profiles and EXIF blocks.
    case encoder(ImageFormat)
    case text(TextParser)

    /// The targets that read or write pictures; a new codec adds its own.
    static let images: [FuzzTarget] =
        [probe, decoders, raw] + ImageFormat.decodable.filter { !ImageFormat.rawPhotos.contains($0) }.map(codec)
        + ImageFormat.encodable.map(encoder)
    /// The targets that read text.
    static let texts = TextParser.all.map(text)

    /// Changes inputs of formats whose checksums would reject nearly all of them.
    private static let repairs: [ImageFormat: @Sendable ([UInt8]) -> [UInt8]] = [.png: PNGChecksums.repaired]

    /// The target's name, which is also the name of its corpus.
    var name: String {
        switch self {
        case .probe: "probe"
        case .codec(let format): format.name
        case .raw: "raw"
        case .decoders: "decoders"
        case .encoder(let format): "encode-\(format.name)"
        case .text(let parser): parser.name
        }
    }

    /// The target that the environment variable FUZZ_TARGET names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = (images + texts).first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET is \"\(name)\"")
        }
        return target
    }()

    /// Tests one input; returns -1 to tell libFuzzer not to keep it.
    func test(_ bytes: [UInt8]) -> Int32 {
        switch self {
        case .probe: Self.probe(bytes)
        case .codec(let format): return Self.decode(Self.repairs[format]?(bytes) ?? bytes, as: [format])
        case .raw: return Self.decode(bytes, as: ImageFormat.rawPhotos)
        case .decoders: return DecoderComparison.test(bytes)
        case .encoder(let format): return Self.encode(bytes, as: format)
        case .text(let parser): parser.test(bytes)
        }
        return 0
    }

    /// Makes a thumbnail of a valid picture with hostile metadata, which must not fail.
    private static func encode(_ bytes: [UInt8], as format: ImageFormat) -> Int32 {
        guard let input = EncoderInput(bytes, for: format) else { return -1 }
        do throws(ImagingError) {
            let result = try Thumbnailer(input.options).thumbnails(of: input.picture)
            for thumbnail in result.thumbnails {
                let info = try ImageInfo(bytes: thumbnail.bytes)
                precondition(info.width == thumbnail.width && info.height == thumbnail.height)
                precondition(thumbnail.format == format)
            }
        } catch {
            preconditionFailure("\(error)")
        }
        return 0
    }

    /// Reads the header of the whole input and of its first half, and runs the check that makes no thumbnail.
    private static func probe(_ bytes: [UInt8]) {
        let whole = try? ImageInfo(bytes: bytes)
        let part = try? ImageInfo(bytes: Array(bytes.prefix(bytes.count / 2)))
        if let whole, let part { precondition(part.width == whole.width && part.height == whole.height) }
        var options = ThumbnailOptions()
        options.sizes = []
        let checked = try? Thumbnailer(options).thumbnails(of: bytes)
        precondition(checked == nil || checked?.info == whole, "the check and the header agree")
        options.sizes = [ThumbnailSize(width: 1 + bytes.count % 300, height: nil)]
        // Previews are read in the fast mode only.
        options.qualityMode = bytes.count % 2 == 0 ? .fast : .good
        let count = sufficientCount(of: bytes, chunk: bytes.count, options)
        precondition(count ?? 0 <= bytes.count, "a prefix is part of the file")
        precondition(sufficientCount(of: bytes, chunk: 7, options) == count, "chunks do not matter")
    }

    /// Returns the number of bytes that suffice if the file arrives in chunks.
    private static func sufficientCount(of bytes: [UInt8], chunk: Int, _ options: ThumbnailOptions) -> Int? {
        var prefix = SufficientPrefix(options)
        for start in stride(from: 0, to: bytes.count, by: max(1, chunk)) {
            prefix.receive(bytes.span.extracting(start..<min(bytes.count, start + chunk)))
        }
        return prefix.count
    }

    /// Runs the whole pipeline: decode, orient, convert colours, scale and encode.
    private static func decode(_ bytes: [UInt8], as formats: [ImageFormat]) -> Int32 {
        guard let format = ImageFormat(sniffing: bytes), formats.contains(format) else { return -1 }
        var options = options
        // The input determines the options, so that a crash is reproducible.
        options.qualityMode = ThumbnailOptions.QualityMode.allCases[bytes.count % 3]
        options.animation = bytes.count / 3 % 2 == 0 ? .keep : .first
        var strict: ThumbnailResult?
        do throws(ImagingError) {
            strict = try Thumbnailer(options).thumbnails(of: bytes)
        } catch {
            precondition(error.code != .internal, "an image has no internal error")
        }
        options.salvages = true
        let salvaged = try? Thumbnailer(options).thumbnails(of: bytes)
        if let strict {
            // libde265 makes pixels of some damaged pictures from memory that it never set.
            let isRepeatable = !ImageFormat.restricted.contains(format)
            precondition(!isRepeatable || salvaged == strict, "salvaging does not change an intact image")
        } else {
            precondition(salvaged == nil || salvaged?.damage != nil, "a damaged image is reported as damaged")
        }
        options.salvages = false
        guard let result = strict ?? salvaged else { return 0 }
        precondition(result.thumbnails.count == options.sizes.count, "every size is made")
        for thumbnail in result.thumbnails {
            let made = try? ImageInfo(bytes: thumbnail.bytes)
            precondition(
                made?.width == thumbnail.width && made?.height == thumbnail.height,
                "the thumbnail has the reported size")
        }
        options.sizes = []
        precondition(
            strict == nil || (try? Thumbnailer(options).thumbnails(of: bytes)) != nil,
            "an image that decodes passes the check")
        return 0
    }

    /// Small limits, so that many inputs are tested per second.
    private static let options: ThumbnailOptions = {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 32, height: 32), ThumbnailSize(width: nil, height: 9)]
        options.keptMetadata = Set(ThumbnailOptions.Metadata.allCases)
        ImageFormat.loadLibraries(of: ImageFormat.loadable)
        options.allowedFormats = ImageFormat.restricted
        options.limits.pixels = 1_000_000
        options.limits.memory = 64 << 20
        return options
    }()
}
