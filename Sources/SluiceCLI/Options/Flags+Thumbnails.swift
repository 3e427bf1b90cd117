// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What thumbnails are made.
    static let thumbnails: [Flag] = [
        Flag(
            long: "sizes", value: Placeholder("LIST"), category: .thumbnails, commands: pictures,
            help: "Sizes such as 256,1024 or none (default \(sizeDefaults))",
            longHelp: """
                Makes a thumbnail of each size, all from one decode. A size is a box (256 is 256x256, 320x240), a width \
                (200x) or a height (x200); commas stand between sizes. none makes no thumbnails. The default is \
                \(sizeDefaults).
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.sizes = try argument.sizes() }),
        Flag(
            long: "fit", value: .choice(of: ThumbnailOptions.Fit.self), category: .thumbnails, commands: pictures,
            help: "How a photo is made to fit (default \(defaults.fit.rawValue))",
            longHelp: """
                inside keeps the whole photo within the size and never enlarges it; cover fills the size and cuts away \
                what stands over; fill fills it by stretching; pad shows the whole photo on a ground of the size. The default is \(defaults.fit.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.fit = try argument.choice(of: ThumbnailOptions.Fit.self)
            }),
        Flag(
            long: "format", value: .choice(of: ThumbnailOptions.Format.self), category: .thumbnails,
            commands: pictures,
            help: "What thumbnails are written as (default \(defaults.format.rawValue))",
            longHelp: """
                Writes thumbnails in that format; auto writes JPEG, but PNG for a photo with transparency. The default \
                is \(defaults.format.rawValue).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.format = try argument.choice(of: ThumbnailOptions.Format.self)
            }),
        Flag(
            long: "quality", value: Placeholder("N"), category: .thumbnails, commands: pictures,
            help: "Quality of JPEG and WebP, 1 to 100 (default \(defaults.quality))",
            longHelp: "The encoder's quality for JPEG and WebP, from 1 to 100. The default is \(defaults.quality).",
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.quality = try argument.count(from: 1, to: 100)
            }),
        Flag(
            long: "salvage", undo: "no-salvage", category: .thumbnails, commands: pictures,
            help: "Keep what can be decoded of damaged photos",
            longHelp: """
                Makes thumbnails of what can be decoded of a truncated or corrupt photo, with grey for the rest. Its \
                item is done, and its cause (truncated, corrupt) stands in the manifest all the same. Without it such a \
                photo fails.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.thumbnails.salvages = argument.isOn }),
        Flag(
            long: "jobs", short: "j", value: Placeholder("N"), category: .thumbnails, commands: [.thumbs],
            help: "Photos decoded at once (default: the cores)",
            longHelp: """
                Decodes at most N photos at once, from 1 to 1024. The default is the number of this machine's cores, \
                which is nearly always the fastest; fewer leave room for others.
                """,
            apply: { (options, argument) throws(Refusal) in options.jobs = try argument.count(from: 1, to: 1024) }),
    ]

    /// The commands that make thumbnails.
    static let pictures: [CommandName] = [.mirror, .thumbs]
    private static let defaults = ThumbnailOptions()
    private static let sizeDefaults = defaults.sizes.map(\.description).joined(separator: ",")
}
