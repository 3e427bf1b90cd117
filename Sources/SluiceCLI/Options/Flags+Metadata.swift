// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What thumbnails keep of what a photo tells beside its pixels.
    static let metadata: [Flag] = [
        Flag(
            long: "profile", value: .choice(of: ThumbnailOptions.Profile.self), category: .thumbnails,
            commands: pictures,
            help: "What becomes of a photo's colour profile (default \(defaults.profile.rawValue))",
            longHelp: """
                srgb converts a photo's colours by its profile to sRGB, which everyone takes a picture without a \
                profile to have, and writes none; keep leaves them and writes the profile into the thumbnail (CMYK is \
                converted all the same); strip takes them as they are and writes none. The default is \
                \(defaults.profile.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.profile = try argument.choice(of: ThumbnailOptions.Profile.self)
            }),
        Flag(
            long: "keep", value: Placeholder("LIST", .words(KeptWord.allCases.map(\.rawValue))), category: .thumbnails,
            commands: pictures,
            help: "Metadata to keep: icc, exif, copyright, gps (default none)",
            longHelp: """
                Writes these into thumbnails, with commas between them: exif, what EXIF tells of camera, lens, exposure \
                and people, with the orientation set upright, and without its place, its small preview and the camera's \
                own notes; copyright, only artist and copyright, XMP's or IPTC's where EXIF has none; gps, EXIF's place, \
                which nothing else keeps; icc, which is another way to say --profile keep. none, the default, keeps nothing.
                """,
            apply: { (options, argument) throws(Refusal) in
                let words = try argument.keptWords()
                options.mirror.thumbnails.keeps = Set(words.compactMap(\.metadata))
                if words.contains(.icc) { options.mirror.thumbnails.profile = .keep }
            }),
    ]

    private static let defaults = ThumbnailOptions()
}

/// What `--keep` takes.
enum KeptWord: String, CaseIterable {
    case icc, exif, copyright, gps

    /// What it names; nothing for the profile, which is an option of its own.
    fileprivate var metadata: ThumbnailOptions.Metadata? { ThumbnailOptions.Metadata(rawValue: rawValue) }
}
