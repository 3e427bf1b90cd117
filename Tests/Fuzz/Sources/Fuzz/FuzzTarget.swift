// SPDX-License-Identifier: MIT

internal import Foundation
internal import SluiceImaging

/// What strangers' bytes are handed to.
///
/// A trap, a sanitizer's word or a broken promise is a crash, whose input libFuzzer keeps.
enum FuzzTarget: String, CaseIterable {
    case probe, jpeg, png, webp

    /// The one that the environment names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else { fatalError("FUZZ_TARGET is \"\(name)\"") }
        return target
    }()

    /// Tests one input; -1 tells libFuzzer that it leads nowhere.
    func test(_ bytes: [UInt8]) -> Int32 {
        switch self {
        case .probe: Self.probe(bytes)
        case .png: decode(PNGSums.repaired(bytes))
        case .jpeg, .webp: decode(bytes)
        }
    }

    /// The header of the whole and of a part, and the check that makes no thumbnail.
    private static func probe(_ bytes: [UInt8]) -> Int32 {
        let whole = try? ImageInfo(bytes: bytes)
        let part = try? ImageInfo(bytes: Array(bytes.prefix(bytes.count / 2)))
        if let whole, let part { precondition(part.width == whole.width && part.height == whole.height) }
        var options = ThumbnailOptions()
        options.sizes = []
        let checked = try? Thumbnailer(options).thumbnails(of: bytes)
        precondition(checked == nil || checked?.info == whole, "the check and the probe see one picture")
        return 0
    }

    /// The whole way: decode, turn, colours, sizes, encode.
    private func decode(_ bytes: [UInt8]) -> Int32 {
        guard ImageFormat(sniffing: bytes)?.rawValue == rawValue else { return -1 }
        var options = Self.options
        // The input itself says how it is taken, so that a crash comes again.
        options.qualityMode = ThumbnailOptions.QualityMode.allCases[bytes.count % 3]
        let strict = try? Thumbnailer(options).thumbnails(of: bytes)
        options.salvages = true
        let salvaged = try? Thumbnailer(options).thumbnails(of: bytes)
        if let strict {
            precondition(salvaged == strict, "what is whole needs no salvage")
        } else {
            precondition(salvaged == nil || salvaged?.damage != nil, "no scrap is given out as whole")
        }
        options.salvages = false
        guard let result = strict ?? salvaged else { return 0 }
        precondition(result.thumbnails.count == options.sizes.count, "every size is made")
        for thumbnail in result.thumbnails {
            let made = try? ImageInfo(bytes: thumbnail.bytes)
            precondition(made?.width == thumbnail.width && made?.height == thumbnail.height, "it is what it says")
        }
        options.sizes = []
        precondition(
            strict == nil || (try? Thumbnailer(options).thumbnails(of: bytes)) != nil, "what decodes passes the check")
        return 0
    }

    /// Small limits, so that many inputs are tried in a second.
    private static let options: ThumbnailOptions = {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 32, height: 32), ThumbnailSize(width: nil, height: 9)]
        options.keeps = Set(ThumbnailOptions.Metadata.allCases)
        options.limits.pixels = 1_000_000
        options.limits.memory = 64 << 20
        return options
    }()
}
