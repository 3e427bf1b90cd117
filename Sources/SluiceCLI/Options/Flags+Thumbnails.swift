// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging

extension Flag {
    /// Options for the size and format of thumbnails.
    static let thumbnails: [Flag] = [
        Flag(
            long: "sizes", value: "LIST", commands: thumbnailCommands, others: .anyone,
            essential: [.mirror, .thumbs, .plan],
            help: "Thumbnail sizes, e.g. 256,1024, or none", default: sizeDefaults,
            longHelp: """
                Makes a thumbnail of each size, all from one decode. A size is a box (256 means 256x256; 320x240), a \
                width (200x) or a height (x200). Separate sizes with commas. none makes no thumbnails.
                """,
            apply: { $0.mirror.thumbnails.sizes = try $1.sizes() }),
        Flag(
            long: "fit", value: .choice(of: ThumbnailOptions.Fit.self), commands: thumbnailCommands, others: .anyone,
            essential: [.thumbs],
            help: "How to fit a photo to the size", default: defaults.fit.rawValue,
            longHelp: """
                inside keeps the whole photo within the size and never enlarges it; cover fills the size and crops the \
                excess; fill stretches the photo to the size; pad shows the whole photo on a background of that size.
                """,
            apply: { $0.mirror.thumbnails.fit = try $1.choice(of: ThumbnailOptions.Fit.self) }),
        Flag(
            long: "format", value: .choice(of: ThumbnailOptions.Format.self), commands: thumbnailCommands,
            others: .anyone, essential: [.mirror, .thumbs, .plan],
            help: "Thumbnail format", default: defaults.format.rawValue,
            longHelp: """
                Writes thumbnails in this format. auto writes PNG for photos with transparency, and JPEG for all \
                others.
                """,
            apply: { $0.mirror.thumbnails.format = try $1.choice(of: ThumbnailOptions.Format.self) }),
        Flag(
            long: "animated", value: .choice(of: ThumbnailOptions.Animation.self), commands: thumbnailCommands,
            others: .anyone,
            help: "Thumbnails of animations", default: defaults.animation.rawValue,
            longHelp: """
                first makes a still thumbnail of the first frame; keep makes an animated WebP of the first 60 frames, \
                or of those in the first 10 seconds, whatever --format says. Animations that do not fit into --memory \
                or --max-kb stay still.
                """,
            apply: { $0.mirror.thumbnails.animation = try $1.choice(of: ThumbnailOptions.Animation.self) }),
        Flag(
            long: "quality", value: "N", commands: thumbnailCommands, others: .anyone, essential: [.thumbs],
            help: "Quality of \(qualityFormats), or auto", default: "\(defaults.quality)",
            longHelp: """
                Encoder quality for \(qualityFormats), from 1 to 100. auto chooses it for each thumbnail, so that all \
                look equally good: it compares the encoded thumbnail with the picture, and takes the lowest quality \
                that reaches \(QualityValue.defaultScore) of 100 points, in at most three attempts. auto:N asks for N \
                points: 90 looks identical, 70 is good, and 50 is visibly reduced.
                """,
            apply: { options, argument in
                let value = try argument.quality()
                options.mirror.thumbnails.targetScore = value.score
                options.mirror.thumbnails.quality = value.quality ?? defaults.quality
            }),
        Flag(
            long: "salvage", undo: "no-salvage", commands: thumbnailCommands, essential: [.thumbs],
            help: "Keep the readable part of damaged photos",
            longHelp: """
                Makes thumbnails from the readable part of a truncated or corrupt photo, with grey for the rest. The \
                item counts as done, and the manifest still records its cause (truncated, corrupt). Without this \
                option such a photo fails.
                """,
            apply: { $0.mirror.thumbnails.salvages = $1.isOn }),
        Flag(
            long: "jobs", short: "j", value: "N", commands: [.thumbs], others: .anyone, essential: [.thumbs],
            help: "Photos to decode concurrently (default: CPU cores)",
            longHelp: """
                Decodes at most N photos concurrently, from 1 to 1024. The default is the number of CPU cores, which \
                is almost always the fastest. A lower number leaves capacity for other programs.
                """,
            apply: { $0.decoding.jobs = try $1.count(from: 1, to: 1024) }),
    ]

    /// Options for resampling and encoding.
    static let rendering: [Flag] = [
        Flag(
            long: "gravity",
            value: ValuePlaceholder("WHERE", .words(ThumbnailOptions.Gravity.allCases.map(\.rawValue))),
            commands: thumbnailCommands, others: .anyone,
            help: "Photo position for cover and pad", default: defaults.gravity.rawValue,
            longHelp: """
                Sets which part of the photo cover keeps, and where pad places the photo: centre, a side (north, east, \
                south, west) or a corner (northwest, ...). attention keeps the part that draws the eye: objects, faces \
                and detail.
                """,
            apply: { $0.mirror.thumbnails.gravity = try $1.choice(of: ThumbnailOptions.Gravity.self) }),
        Flag(
            long: "background", value: "COLOR", commands: thumbnailCommands, others: .anyone,
            help: "Background for padding and transparency", default: "white",
            longHelp: """
                Background colour for padding, and for transparent photos if the thumbnail format has no transparency: \
                white, black, transparent, or hexadecimal digits such as #336699.
                """,
            apply: { $0.mirror.thumbnails.background = try $1.background() }),
        Flag(
            long: "enlarge", undo: "no-enlarge", commands: thumbnailCommands, others: .anyone,
            help: "Enlarge photos that are smaller than the size",
            longHelp: """
                Enlarges photos that are smaller than the thumbnail size, with inside and pad. By default no photo \
                is enlarged.
                """,
            apply: { $0.mirror.thumbnails.enlarges = $1.isOn }),
        Flag(
            long: "kernel", value: .choice(of: ThumbnailOptions.Kernel.self), commands: thumbnailCommands,
            others: .anyone, isRare: true,
            help: "Resampling filter", default: defaults.kernel.rawValue,
            longHelp: """
                Selects the resampling filter: lanczos3 is the sharpest, mitchell is softer, area averages the pixels, \
                and nearest copies single pixels.
                """,
            apply: { $0.mirror.thumbnails.kernel = try $1.choice(of: ThumbnailOptions.Kernel.self) }),
        Flag(
            long: "quality-mode", value: .choice(of: ThumbnailOptions.QualityMode.self), commands: thumbnailCommands,
            others: .anyone,
            help: "Trade speed for accuracy", default: defaults.qualityMode.rawValue,
            longHelp: """
                good lets the JPEG decoder reduce the photo, but leaves at least twice the thumbnail size for \
                resampling; fast lets it reduce the photo almost to the thumbnail size; exact decodes every photo at \
                full size.
                """,
            apply: { $0.mirror.thumbnails.qualityMode = try $1.choice(of: ThumbnailOptions.QualityMode.self) }),
        Flag(
            long: "decoder", value: .choice(of: ThumbnailOptions.Decoder.self), commands: thumbnailCommands,
            others: .anyone, isRare: true,
            help: "Decoder for JPEG and PNG", default: defaults.decoder.rawValue,
            longHelp: """
                auto decodes usual JPEGs and PNGs with Sluice's own decoders, which are faster, and all others with \
                libjpeg-turbo and libpng; reference always uses these. The thumbnails are bit-identical.
                """,
            apply: { $0.mirror.thumbnails.decoder = try $1.choice(of: ThumbnailOptions.Decoder.self) }),
        Flag(
            long: "linear", undo: "no-linear", commands: thumbnailCommands, others: .anyone,
            help: "Resample in linear light",
            longHelp: """
                Resamples in linear light, which preserves the brightness of fine bright details. Every photo is \
                then decoded at full size, which takes longer. By default pixels are resampled as they are stored, \
                as in most tools.
                """,
            apply: { $0.mirror.thumbnails.isLinear = $1.isOn }),
        Flag(
            long: "sharpen", value: "N", commands: thumbnailCommands, others: .anyone,
            help: "Sharpen by N percent, 0 to 400", default: "0",
            longHelp: "Sharpens thumbnails by N percent, from 0 to 400; 50 is mild.",
            apply: { $0.mirror.thumbnails.sharpen = Double(try $1.count(from: 0, to: 400)) / 100 }),
        Flag(
            long: "progressive", undo: "no-progressive", commands: thumbnailCommands, others: .anyone,
            help: "Write progressive JPEG",
            longHelp: "Writes JPEG thumbnails in scans, each of which refines the previous one.",
            apply: { $0.mirror.thumbnails.isProgressive = $1.isOn }),
        Flag(
            long: "speed", value: "N", commands: thumbnailCommands, others: .anyone,
            help: "Speed of the AVIF encoder, 0 to 10", default: "\(defaults.speed)",
            longHelp: """
                Sets how fast AVIF thumbnails are encoded, from 0 to 10. Lower speeds give smaller files and take up \
                to a hundred times as long.
                """,
            apply: { $0.mirror.thumbnails.speed = try $1.count(from: 0, to: 10) }),
        Flag(
            long: "subsampling", value: .choice(of: ThumbnailOptions.Subsampling.self), commands: thumbnailCommands,
            others: .anyone,
            help: "Chroma subsampling of JPEG and AVIF", default: defaults.subsampling.rawValue,
            longHelp: """
                420 stores one colour sample for four pixels, which is enough for photographs; 422 stores one for two \
                adjacent pixels; 444 stores one for each pixel, which suits text, drawings and red edges.
                """,
            apply: { $0.mirror.thumbnails.subsampling = try $1.choice(of: ThumbnailOptions.Subsampling.self) }),
        Flag(
            long: "lossless", undo: "no-lossless", commands: thumbnailCommands, others: .anyone,
            help: "Write lossless WebP or AVIF",
            longHelp: "Writes lossless WebP or AVIF thumbnails. They are larger and take longer to encode.",
            apply: { $0.mirror.thumbnails.isLossless = $1.isOn }),
        Flag(
            long: "max-kb", value: "N", commands: thumbnailCommands, others: .anyone,
            help: "Lower the quality until a thumbnail fits in N KB",
            longHelp: """
                Lowers the quality of \(qualityFormats), starting at --quality, until the thumbnail has at most N \
                kilobytes of 1024 bytes. A thumbnail that is too large at the lowest quality is written anyway.
                """,
            apply: { $0.mirror.thumbnails.maxBytes = try $1.count(from: 1, to: 1 << 20) * 1024 }),
    ]

    /// Options for colour profiles and other metadata.
    static let metadata: [Flag] = [
        Flag(
            long: "profile", value: .choice(of: ThumbnailOptions.Profile.self), commands: thumbnailCommands,
            others: .anyone,
            help: "Colour profile handling", default: defaults.profile.rawValue,
            longHelp: """
                srgb converts the colours of a photo to sRGB, which programs assume for pictures without a profile, \
                and writes no profile; keep leaves the colours unchanged and copies the profile into the thumbnail \
                (CMYK is still converted); strip leaves the colours unchanged and writes no profile.
                """,
            apply: { $0.mirror.thumbnails.profile = try $1.choice(of: ThumbnailOptions.Profile.self) }),
        Flag(
            long: "hdr", value: .choice(of: ThumbnailOptions.DynamicRange.self), commands: thumbnailCommands,
            others: .anyone,
            help: "Keep gain maps for HDR displays", default: defaults.dynamicRange.rawValue,
            longHelp: """
                keep adds the gain map of a JPEG (Ultra HDR) to its JPEG thumbnails, scaled, cropped and rotated like \
                them. HDR displays show them brighter, and other displays show the same pixels as without the map. \
                Files of 256 pixels grow by a quarter to a half. Photos without a gain map, photos of other formats, \
                and thumbnails of other formats stay the same. Photos are then downloaded completely even with --fetch \
                enough, because the map is at their end.
                """,
            apply: { (options, argument) throws(InvalidValue) in
                options.mirror.thumbnails.dynamicRange = try argument.choice(of: ThumbnailOptions.DynamicRange.self)
            }),
        Flag(
            long: "keep", value: ValuePlaceholder("LIST", .words(KeepValue.allCases.map(\.rawValue))),
            commands: thumbnailCommands, essential: [.thumbs],
            help: "Metadata to keep: icc, exif, copyright, gps", default: "none",
            longHelp: """
                Copies this metadata into thumbnails; separate the words with commas. exif copies the camera, lens, \
                exposure and people from EXIF and sets the orientation to upright; it leaves out the location, the \
                preview image and the maker notes. copyright copies only artist and copyright, from XMP or IPTC if \
                EXIF has none. gps copies the EXIF location, which nothing else keeps. icc is the same as --profile \
                keep. none, the default, keeps nothing.
                """,
            apply: { options, argument in
                let words = try argument.keepValues()
                options.mirror.thumbnails.keptMetadata = Set(words.compactMap(\.metadata))
                if words.contains(.icc) { options.mirror.thumbnails.profile = .keep }
            }),
        Flag(
            long: "allow-format", value: ValuePlaceholder("FORMAT", .words(restrictedFormats.map(\.name))),
            commands: [.mirror], isRepeatable: true,
            help: "Also read photos of this format, e.g. heic; repeatable",
            longHelp: """
                Also reads downloaded photos of a format whose library has a poor security record: heic with libde265 \
                (Debian package libde265-0), jxl with libjxl, or tiff with libtiff. They are decoded in sandboxed \
                processes only. thumbs reads them without this option, because its photos are the user's own.
                """,
            apply: { $0.mirror.thumbnails.allowedFormats.insert(try $1.choice(of: restrictedFormats)) }),
    ]

    /// The commands that make thumbnails.
    static let thumbnailCommands: [CommandName] = [.mirror, .thumbs]
    private static let defaults = RunOptions().thumbnails
    private static let restrictedFormats = ImageFormat.restricted.sorted { $0.name < $1.name }
    private static let qualityFormats = listed(ImageFormat.encodable.filter(\.hasQuality).map(\.title), "and")
    private static let sizeDefaults = defaults.sizes.map(\.description).joined(separator: ",")
}

/// The values of `--keep`.
enum KeepValue: String, CaseIterable {
    case icc, exif, copyright, gps

    /// The kind of metadata; `nil` for the colour profile, which `--profile` controls.
    fileprivate var metadata: ThumbnailOptions.Metadata? { ThumbnailOptions.Metadata(rawValue: rawValue) }
}
