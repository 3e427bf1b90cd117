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
            })
    ]

    private static let defaults = ThumbnailOptions()
}
