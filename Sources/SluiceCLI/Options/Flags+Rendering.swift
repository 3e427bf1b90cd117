// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How thumbnails are made.
    static let rendering: [Flag] = [
        Flag(
            long: "gravity", value: Placeholder("WHERE", .words(ThumbnailOptions.Gravity.allCases.map(\.rawValue))),
            category: .thumbnails, commands: pictures,
            help: "What cover keeps and pad puts (default \(defaults.gravity.rawValue))",
            longHelp: """
                Says which part cover keeps and where pad puts the photo: centre, a side (north, east, south, west) or \
                a corner (northwest, ...); attention keeps the busiest part. The default is \
                \(defaults.gravity.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.gravity = try argument.choice(of: ThumbnailOptions.Gravity.self)
            }),
        Flag(
            long: "background", value: Placeholder("COLOR"), category: .thumbnails, commands: pictures,
            help: "Ground of pad, and behind transparency (default white)",
            longHelp: """
                The colour around a padded photo, and behind a transparent one where the format has no transparency: \
                white, black, transparent, or digits such as #336699. The default is white.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.background = try argument.background()
            }),
        Flag(
            long: "enlarge", undo: "no-enlarge", category: .thumbnails, commands: pictures,
            help: "Enlarge photos that are smaller than the size",
            longHelp:
                "Enlarges a photo that is smaller than its size, with inside and pad. Without it none is enlarged.",
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.enlarges = argument.isOn }),
        Flag(
            long: "kernel", value: .choice(of: ThumbnailOptions.Kernel.self), category: .thumbnails,
            commands: pictures,
            help: "How pixels are mixed (default \(defaults.kernel.rawValue))",
            longHelp: """
                Mixes pixels by that kernel: lanczos3 is the sharpest, mitchell softer, area the plain mean, nearest no \
                mixing at all. The default is \(defaults.kernel.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.kernel = try argument.choice(of: ThumbnailOptions.Kernel.self)
            }),
        Flag(
            long: "quality-mode", value: .choice(of: ThumbnailOptions.QualityMode.self), category: .thumbnails,
            commands: pictures,
            help: "Speed against exactness (default \(defaults.qualityMode.rawValue))",
            longHelp: """
                good lets a JPEG's decoder shrink it, but leaves at least twice the size for the kernel; fast leaves it \
                little more than the size; exact decodes every photo in full. The default is \
                \(defaults.qualityMode.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.qualityMode = try argument.choice(of: ThumbnailOptions.QualityMode.self)
            }),
        Flag(
            long: "linear", undo: "no-linear", category: .thumbnails, commands: pictures,
            help: "Mix pixels in linear light",
            longHelp: """
                Mixes pixels as light mixes, which keeps the brightness of fine bright detail; every photo is then \
                decoded in full, and takes longer. Without it pixels are mixed as they are stored, as most tools do.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.isLinear = argument.isOn }),
        Flag(
            long: "sharpen", value: Placeholder("N"), category: .thumbnails, commands: pictures,
            help: "Sharpen by N percent, 0 to 400 (default 0)",
            longHelp: "Sharpens thumbnails by N percent, from 0 to 400; 50 is mild. The default is 0.",
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.sharpen = Double(try argument.count(from: 0, to: 400)) / 100
            }),
        Flag(
            long: "progressive", undo: "no-progressive", category: .thumbnails, commands: pictures,
            help: "Write progressive JPEGs",
            longHelp: "Writes JPEG thumbnails in scans, each finer than the one before.",
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.isProgressive = argument.isOn }),
        Flag(
            long: "subsampling", value: .choice(of: ThumbnailOptions.Subsampling.self), category: .thumbnails,
            commands: pictures,
            help: "How finely JPEGs keep colour (default \(defaults.subsampling.rawValue))",
            longHelp: """
                420 gives four pixels of a JPEG one colour, which is enough for photographs; 422 two side by side; 444 \
                each its own, which suits text, drawings and red edges. The default is \(defaults.subsampling.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.subsampling = try argument.choice(of: ThumbnailOptions.Subsampling.self)
            }),
        Flag(
            long: "lossless", undo: "no-lossless", category: .thumbnails, commands: pictures,
            help: "Write lossless WebPs",
            longHelp: "Writes WebP thumbnails without loss; they are larger, and take longer.",
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.isLossless = argument.isOn }),
        Flag(
            long: "max-kb", value: Placeholder("N"), category: .thumbnails, commands: pictures,
            help: "Lower the quality until a thumbnail has N KB",
            longHelp: """
                Lowers the quality of a JPEG or WebP, from --quality down, until the thumbnail has at most N kilobytes \
                of 1024 bytes. One that is too large at the lowest quality is written all the same.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.maxBytes = try argument.count(from: 1, to: 1 << 20) * 1024
            }),
    ]

    private static let defaults = ThumbnailOptions()
}
