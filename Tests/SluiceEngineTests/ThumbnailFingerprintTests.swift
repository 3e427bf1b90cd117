// SPDX-License-Identifier: MIT

import SluiceEngine
import SluiceImaging
import SluiceModel
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

    /// Returns the text that versions before the table of options stored.
    private static func earlierText(_ options: ThumbnailOptions) -> String {
        let background = options.background
        let subsampling = [.half: "half", .columns: "columns"][options.subsampling] ?? "full"
        let keeps = options.keptMetadata.map { ":\($0.rawValue)" }.sorted().joined(separator: ",")
        var fields = [
            "sizes:[]", "fit:\(options.fit.rawValue)", "gravity:\(options.gravity.rawValue)",
            "enlarges:\(options.enlarges)",
            "background:(red:\(background.red),green:\(background.green),blue:\(background.blue),"
                + "alpha:\(background.alpha))",
            "kernel:\(options.kernel.rawValue)", "sharpen:\(options.sharpen)",
            "qualityMode:\(options.qualityMode.rawValue)", "isLinear:\(options.isLinear)",
            "profile:\(options.profile.rawValue)", "keeps:\(keeps.isEmpty ? "[]" : "(\(keeps))")",
            "format:\(options.format.rawValue)", "quality:\(options.quality)",
            "isProgressive:\(options.isProgressive)", "subsampling:\(subsampling)", "isLossless:\(options.isLossless)",
            "maxBytes:\(options.maxBytes.map { "(some:\($0))" } ?? "nil")", "salvages:false",
            "limits:(pixels:100000000,scans:100,memory:536870912,seconds:20.0)",
        ]
        if options.speed != 6 { fields.append("speed:\(options.speed)") }
        if options.animation != .first { fields.append("animation:\(options.animation.rawValue)") }
        return Fingerprint("(\(fields.joined(separator: ",")))").text
    }

    @Test("The fingerprint of any options equals that of earlier versions")
    func earlierVersions() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: .random(in: 1...99), height: nil)]
            options.fit = try #require(ThumbnailOptions.Fit.allCases.randomElement())
            options.gravity = try #require(ThumbnailOptions.Gravity.allCases.randomElement())
            options.kernel = try #require(ThumbnailOptions.Kernel.allCases.randomElement())
            options.qualityMode = try #require(ThumbnailOptions.QualityMode.allCases.randomElement())
            options.profile = try #require(ThumbnailOptions.Profile.allCases.randomElement())
            options.subsampling = try #require(ThumbnailOptions.Subsampling.allCases.randomElement())
            options.animation = try #require(ThumbnailOptions.Animation.allCases.randomElement())
            options.decoder = try #require(ThumbnailOptions.Decoder.allCases.randomElement())
            options.format = try #require(ThumbnailOptions.Format.allCases.randomElement())
            options.keptMetadata = Set(ThumbnailOptions.Metadata.allCases.filter { _ in .random() })
            options.background = BackgroundColor(
                red: .random(in: 0...255), green: .random(in: 0...255), blue: .random(in: 0...255),
                alpha: .random(in: 0...255))
            (options.enlarges, options.isLinear, options.isProgressive) = (.random(), .random(), .random())
            (options.isLossless, options.salvages) = (.random(), .random())
            options.sharpen = Double(Int.random(in: 0...400)) / 100
            (options.quality, options.speed) = (.random(in: 1...100), .random(in: 0...10))
            options.maxBytes = .random() ? .random(in: 1...1 << 30, using: &random) : nil
            options.limits.pixels = .random(in: 1...1000)
            #expect(options.fingerprint == Self.earlierText(options), "\(options)")
        }
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
