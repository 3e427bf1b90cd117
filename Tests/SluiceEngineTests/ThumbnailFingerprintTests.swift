// SPDX-License-Identifier: MIT

import SluiceEngine
import SluiceImaging
import Testing

/// The fingerprint of thumbnail options, which decides whether a run makes existing thumbnails again.
@Suite("Thumbnail fingerprint", .timeLimit(.minutes(10))) struct ThumbnailFingerprintTests {
    private static func options(_ change: (inout ThumbnailOptions) -> Void) -> ThumbnailOptions {
        var options = ThumbnailOptions()
        change(&options)
        return options
    }

    private static let pinned: [String: ThumbnailOptions] = [
        "e6cbae592726f0c0": ThumbnailOptions(),
        "eaade21b7cc48126": options { ($0.format, $0.quality, $0.isLossless) = (.webp, 75, true) },
        "2b567a6335245dbe": options {
            ($0.fit, $0.gravity, $0.enlarges, $0.sharpen) = (.cover, .attention, true, 0.5)
        },
        "753387c8b06cfff7": options {
            ($0.fit, $0.background) = (.pad, BackgroundColor(red: 1, green: 2, blue: 3))
        },
        "8e2e3a745e4cd735": options {
            ($0.keptMetadata, $0.profile) = ([.gps, .exif, .copyright], .keep)
        },
        "63e87299bd2298ec": options {
            ($0.format, $0.isProgressive, $0.subsampling, $0.maxBytes) = (.jpeg, true, .full, 20_000)
        },
        "daef2a4f864a65cc": options { ($0.kernel, $0.qualityMode, $0.isLinear) = (.mitchell, .exact, true) },
    ]

    @Test("The fingerprints of existing options never change", arguments: pinned.keys.sorted())
    func fingerprint(_ expected: String) {
        #expect(Self.pinned[expected]?.fingerprint == expected)
    }

    @Test("Sizes, limits, salvaging, allowed formats and the decoder do not make thumbnails again")
    func excluded() {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 7, height: nil)]
        options.limits.pixels = 7
        options.limits.seconds = 7
        options.salvages = true
        options.acceptsMissingEnd = true
        options.allowedFormats = ImageFormat.restricted
        options.decoder = .reference
        #expect(options.fingerprint == "e6cbae592726f0c0")
    }

    @Test("Every option of a thumbnail is in the fingerprint or excluded on purpose")
    func complete() {
        // Add a new option here and to `laterFields` in ThumbnailOptions+Fingerprint.swift.
        let known = [
            "sizes", "fit", "gravity", "enlarges", "background", "kernel", "sharpen", "qualityMode", "decoder",
            "isLinear", "profile", "keptMetadata", "format", "animation", "quality", "isProgressive", "speed",
            "subsampling",
            "isLossless", "maxBytes", "salvages", "acceptsMissingEnd", "allowedFormats", "limits",
        ]
        #expect(Mirror(reflecting: ThumbnailOptions()).children.compactMap(\.label) == known)
    }

    @Test("The fingerprint of a run's options never changes")
    func run() {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 256, height: 256)]
        #expect(options.fingerprint == "variant= originals=true sizes=256 thumbnails=e6cbae592726f0c0")
        #expect(options.pagingFingerprint == "per-page= order=")
        options.variant = "small"
        options.keepsOriginals = false
        options.thumbnails.sizes = [ThumbnailSize(width: 320, height: 240), ThumbnailSize(width: nil, height: 9)]
        options.perPage = 30
        options.order = "latest"
        #expect(options.fingerprint == "variant=small originals=false sizes=320x240,x9 thumbnails=e6cbae592726f0c0")
        #expect(options.pagingFingerprint == "per-page=30 order=latest")
        let whole = options.fingerprint
        options.fetch = .enough
        #expect(options.fingerprint == "\(whole) fetch=enough")
        options.keepsOriginals = true
        #expect(!options.fingerprint.contains("fetch"))
    }
}
