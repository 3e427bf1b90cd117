// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging

extension Flag {
    /// Options for the size and format of thumbnails.
    static let thumbnails: [Flag] = [
        Flag(
            "sizes", .value("LIST", \.mirror.thumbnails.sizes) { try $0.sizes() }, thumbnailCommands, others: .anyone,
            essential: [.mirror, .thumbs, .plan], default: sizeDefaults, "Thumbnail sizes, e.g. 256,1024, or none",
            """
            Makes a thumbnail of each size, all from one decode. A size is a box (256 means 256x256; 320x240), a width \
            (200x) or a height (x200). Separate sizes with commas. none makes no thumbnails.
            """),
        Flag(
            "fit", .choice(\.mirror.thumbnails.fit), thumbnailCommands, others: .anyone, essential: [.thumbs],
            "How to fit a photo to the size",
            """
            inside keeps the whole photo within the size and never enlarges it; outside scales it so that it covers the \
            size; cover fills the size and crops the excess; fill stretches the photo to the size; pad shows the whole photo on a background of that size.
            """),
        Flag(
            "format", .choice(\.mirror.thumbnails.format), thumbnailCommands, others: .anyone,
            essential: [.mirror, .thumbs, .plan], "Thumbnail format",
            "Writes thumbnails in this format. auto writes PNG for photos with transparency, and JPEG for all others."),
        Flag(
            "animated", .choice(\.mirror.thumbnails.animation), thumbnailCommands, others: .anyone,
            "Thumbnails of animations",
            """
            first makes a still thumbnail of the first frame; keep makes an animated WebP, whatever --format \
            says. Animations that do not fit into --memory, --max-kb or --decode-timeout stay still.
            """),
        Flag(
            "max-frames", .value("N", \.mirror.thumbnails.maxFrames) { try $0.count(from: 2) }, thumbnailCommands,
            others: .anyone, "Use the first N frames of an animation (default all)",
            "With --animated keep, ends animated thumbnails after N frames, with a note."),
        Flag(
            "max-duration",
            .value("TIME", \.mirror.thumbnails.maxMilliseconds) { Int(try $0.duration() / .milliseconds(1)) },
            thumbnailCommands, others: .anyone, "Use this long a part of an animation (default all)",
            "With --animated keep, ends animated thumbnails after this time, with a note."),
        Flag(
            "quality",
            .custom("N") { options, argument in
                let value = try argument.quality()
                options.mirror.thumbnails.targetScore = value.score
                options.mirror.thumbnails.quality = value.quality ?? defaults.quality
            }, thumbnailCommands, others: .anyone, essential: [.thumbs], default: "\(defaults.quality)",
            "Quality of \(qualityFormats), or auto",
            """
            Encoder quality for \(qualityFormats), from 1 to 100. auto chooses it for each thumbnail, so that all look \
            equally good: it compares the encoded thumbnail with the picture, and takes the lowest quality that \
            reaches \(QualityValue.defaultScore) of 100 points, in at most three attempts. auto:N asks for N points: \
            90 looks identical, 70 is good, and 50 is visibly reduced.
            """),
        Flag(
            "salvage", .on(\.mirror.thumbnails.salvages), undo: "no-salvage", thumbnailCommands, essential: [.thumbs],
            "Keep the readable part of damaged photos",
            """
            Makes thumbnails from the readable part of a truncated or corrupt photo, with grey for the rest. The item \
            counts as done, and the manifest still records its cause (truncated, corrupt). Without this option such a \
            photo fails.
            """),
        Flag(
            "jobs", short: "j", .count(\.decoding.jobs, from: 1, to: 1024), [.thumbs], others: .anyone,
            essential: [.thumbs], "Photos to decode concurrently (default: CPU cores)",
            """
            Decodes at most N photos concurrently, from 1 to 1024. The default is the number of CPU cores, which is \
            almost always the fastest. A lower number leaves capacity for other programs.
            """),
    ]

    /// Options for resampling and encoding.
    static let rendering: [Flag] = [
        Flag(
            "gravity", .choice(\.mirror.thumbnails.gravity, "WHERE"), thumbnailCommands, others: .anyone,
            "Photo position for cover and pad",
            """
            Sets which part of the photo cover keeps, and where pad places the photo: centre, a side (north, east, \
            south, west) or a corner (northwest, ...). attention keeps the part that draws the eye: objects, faces and \
            detail.
            """),
        Flag(
            "background", .value("COLOR", \.mirror.thumbnails.background) { try $0.background() }, thumbnailCommands,
            others: .anyone, default: "white", "Background for padding and transparency",
            """
            Background colour for padding, and for transparent photos if the thumbnail format has no transparency: \
            white, black, transparent, or hexadecimal digits such as #336699.
            """),
        Flag(
            "enlarge", .on(\.mirror.thumbnails.enlarges), undo: "no-enlarge", thumbnailCommands, others: .anyone,
            "Enlarge photos that are smaller than the size",
            """
            Enlarges photos that are smaller than the thumbnail size, with inside, outside and pad. By default they \
            enlarge no photo.
            """),
        Flag(
            "only-shrink", .on(\.mirror.thumbnails.onlyShrinks), undo: "no-only-shrink", thumbnailCommands,
            others: .anyone, isRare: true, "Neither crop nor pad photos that are not larger",
            """
            Leaves photos at their own size that the thumbnail size does not make smaller, whatever --fit and --enlarge \
            say: they are neither cropped nor padded.
            """),
        Flag(
            "kernel", .choice(\.mirror.thumbnails.kernel), thumbnailCommands, others: .anyone, isRare: true,
            "Resampling filter",
            """
            Selects the resampling filter: lanczos3 is the sharpest, mitchell is softer, area averages the pixels, \
            area-lanczos3 is area with lanczos3 for enlargements, and nearest copies single pixels.
            """),
        Flag(
            "quality-mode", .choice(\.mirror.thumbnails.qualityMode), thumbnailCommands, others: .anyone,
            "Trade speed for accuracy",
            """
            good lets the JPEG decoder reduce the photo, but leaves at least twice the thumbnail size for resampling; \
            fast lets it reduce the photo almost to the thumbnail size; exact decodes every photo at full size.
            """),
        Flag(
            "decoder", .choice(\.mirror.thumbnails.decoder), thumbnailCommands, others: .anyone, isRare: true,
            "Decoder for JPEG and PNG",
            """
            auto decodes usual JPEGs and PNGs with Sluice's own decoders, which are faster, and all others with \
            libjpeg-turbo and libpng; reference always uses these. The thumbnails are bit-identical.
            """),
        Flag(
            "linear", .on(\.mirror.thumbnails.isLinear), undo: "no-linear", thumbnailCommands, others: .anyone,
            "Resample in linear light",
            """
            Resamples in linear light, which preserves the brightness of fine bright details. Every photo is then \
            decoded at full size, which takes longer. By default pixels are resampled as they are stored, as in most \
            tools.
            """),
        Flag(
            "sharpen", .value("N", \.mirror.thumbnails.sharpen) { Double(try $0.count(from: 0, to: 400)) / 100 },
            thumbnailCommands, others: .anyone, default: "0", "Sharpen by N percent, 0 to 400",
            "Sharpens thumbnails by N percent, from 0 to 400; 50 is mild."),
        Flag(
            "progressive", .on(\.mirror.thumbnails.isProgressive), undo: "no-progressive", thumbnailCommands,
            others: .anyone, "Write progressive JPEG",
            "Writes JPEG thumbnails in scans, each of which refines the previous one."),
        Flag(
            "speed", .count(\.mirror.thumbnails.speed, from: 0, to: 10), thumbnailCommands, others: .anyone,
            "Speed of the AVIF and JPEG encoders, 0 to 10",
            """
            Sets how fast AVIF and JPEG thumbnails are encoded, from 0 to 10. Lower speeds give smaller files: AVIFs \
            take up to a hundred times as long. JPEGs have two encoders: libjpeg-turbo, and below 6 Sluice's own, \
            whose files are about a quarter smaller; with --quality auto, it is also used at 6.
            """),
        Flag(
            "subsampling", .choice(\.mirror.thumbnails.subsampling), thumbnailCommands, others: .anyone,
            "Chroma subsampling of JPEG and AVIF",
            """
            420 stores one colour sample for four pixels, which is enough for photographs; 422 stores one for two \
            adjacent pixels; 444 stores one for each pixel, which suits text, drawings and red edges. With \
            --quality auto, 420 becomes 444 where that takes fewer bytes for the same look.
            """),
        Flag(
            "lossless", .on(\.mirror.thumbnails.isLossless), undo: "no-lossless", thumbnailCommands, others: .anyone,
            "Write lossless WebP or AVIF",
            "Writes lossless WebP or AVIF thumbnails. They are larger and take longer to encode."),
        Flag(
            "max-kb", .value("N", \.mirror.thumbnails.maxBytes) { try $0.count(from: 1, to: 1 << 20) * 1024 },
            thumbnailCommands, others: .anyone, "Lower the quality until a thumbnail fits in N KB",
            """
            Lowers the quality of \(qualityFormats), starting at --quality, until the thumbnail has at most N \
            kilobytes of 1024 bytes. A thumbnail that is too large at the lowest quality is written anyway.
            """),
    ]

    /// Options for colour profiles and other metadata.
    static let metadata: [Flag] = [
        Flag(
            "profile", .choice(\.mirror.thumbnails.profile), thumbnailCommands, others: .anyone,
            "Colour profile handling",
            """
            srgb converts the colours of a photo to sRGB, which programs assume for pictures without a profile, and \
            writes no profile; keep leaves the colours unchanged and copies the profile into the thumbnail (CMYK is \
            still converted); strip leaves the colours unchanged and writes no profile.
            """),
        Flag(
            "hdr", .choice(\.mirror.thumbnails.dynamicRange), thumbnailCommands, others: .anyone,
            "Keep gain maps for HDR displays",
            """
            keep adds the gain map of a JPEG (Ultra HDR) to its JPEG thumbnails, scaled, cropped and rotated like \
            them. HDR displays show them brighter, and other displays show the same pixels as without the map. Files \
            of 256 pixels grow by a quarter to a half. Photos without a gain map, photos of other formats, and \
            thumbnails of other formats stay the same. Photos are then downloaded completely even with --fetch enough, \
            because the map is at their end.
            """),
        Flag(
            "keep",
            .custom(ValuePlaceholder("LIST", .words(KeepValue.allCases.map(\.rawValue)))) { options, argument in
                let words = try argument.keepValues()
                options.mirror.thumbnails.keptMetadata = Set(words.compactMap(\.metadata))
                if words.contains(.icc) { options.mirror.thumbnails.profile = .keep }
            }, thumbnailCommands, essential: [.thumbs], default: "none", "Metadata to keep: icc, exif, copyright, gps",
            """
            Copies this metadata into thumbnails; separate the words with commas. exif copies the camera, lens, \
            exposure and people from EXIF and sets the orientation to upright; it leaves out the location, the preview \
            image and the maker notes. copyright copies only artist and copyright, from XMP or IPTC if EXIF has none. \
            gps copies the EXIF location, which nothing else keeps. icc is the same as --profile keep. none, the \
            default, keeps nothing.
            """),
        Flag(
            "allow-format",
            .custom(ValuePlaceholder("FORMAT", .words(restrictedFormats.map(\.name))), isRepeatable: true) {
                $0.mirror.thumbnails.allowedFormats.insert(try $1.choice(of: restrictedFormats))
            },
            [.mirror], "Also read photos of this format, e.g. heic; repeatable",
            """
            Also reads downloaded photos of a format whose library has a poor security record: heic with libde265 \
            (Debian package libde265-0), jxl with libjxl, or tiff with libtiff. They are decoded in sandboxed \
            processes only. thumbs reads them without this option, because its photos are the user's own.
            """),
    ]

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
