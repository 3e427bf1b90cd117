// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What is taken of the feed.
    static let selection: [Flag] = [
        Flag(
            long: "pages", short: "p", value: Placeholder("N"), category: .selection, commands: [.mirror],
            help: "Pull at most N pages of the feed",
            longHelp: "Pulls at most N pages of the feed. Without it the walk goes on to the feed's end.",
            apply: { (options, argument) throws(Refusal) in options.mirror.pages = try argument.count() }),
        Flag(
            long: "per-page", value: Placeholder("N"), category: .selection, commands: [.mirror],
            help: "Ask for N photos on a page",
            longHelp: """
                Asks the feed for N photos on a page. Without it the feed's own number is taken; a service may give \
                fewer than it is asked for.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.perPage = try argument.count() }),
        Flag(
            long: "max-items", value: Placeholder("N"), category: .selection, commands: [.mirror],
            help: "Take at most N photos",
            longHelp: "Takes the first N photos of the feed and no more, whatever page they stand on.",
            apply: { (options, argument) throws(Refusal) in options.mirror.maxItems = try argument.count() }),
        Flag(
            long: "stop-after-seen", value: Placeholder("N"), category: .selection, commands: [.mirror],
            help: "Stop after N photos in a row that are done",
            longHelp: """
                Ends the walk once N photos in a row were done by earlier runs: for feeds that list what is new first, and \
                mirrors that are brought up to date often.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.stopAfterSeen = try argument.count() }),
        Flag(
            long: "i-have-permission", category: .selection, commands: [.mirror],
            help: "Take more than the service's terms allow everybody",
            longHelp: """
                Some services forbid systematic downloads without their permission, and a run takes a few hundred of their \
                photos at most. With their permission this lifts that. `sluice feeds show NAME` tells the rules.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.hasPermission = argument.isOn }),
        Flag(
            long: "variant", value: Placeholder("NAME"), category: .selection, commands: [.mirror],
            help: "Download this rendition of each photo",
            longHelp: """
                Downloads the rendition of that name, in the service's own words (raw, full, regular, small, thumb, \
                ...). With auto, the default, the feed chooses; with --no-originals that is the smallest rendition that \
                is as large as the largest thumbnail, where the feed tells their sizes.
                """,
            apply: { (options, argument) throws(Refusal) in
                let name = try argument.line("a rendition's name")
                options.mirror.variant = name == "auto" ? nil : name
            }),
        Flag(
            long: "order", value: Placeholder("WORD"), category: .selection, commands: [.mirror],
            help: "Ask for the photos in this order",
            longHelp: "Asks for the photos in an order that the service knows by that word: latest, popular, ...",
            apply: { (options, argument) throws(Refusal) in options.mirror.order = try argument.line("the order's word")
            }),
        Flag(
            long: "refresh", category: .selection, commands: [.mirror], isLasting: false,
            help: "Ask for newer versions of what is there",
            longHelp: """
                Asks the host of each photo that is there whether it has a newer version, and fetches those. A host that \
                names its versions answers without sending the photo again.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.refreshes = argument.isOn }),
        Flag(
            long: "min-size", value: Placeholder("SIZE"), category: .selection, commands: [.mirror],
            help: "Skip smaller photos",
            longHelp: """
                Skips photos that measure less, upright: 800x600, 800 for both sides, x600 for the height alone. The size \
                stands in a photo's first bytes; the others are not fetched.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.minSize = try argument.size() }),
        Flag(
            long: "aspect", value: Placeholder("FROM..TO"), category: .selection, commands: [.mirror],
            help: "Skip photos of another shape",
            longHelp: """
                Skips photos whose width to height, upright, is not within: 1:2..2:1, or 1.3..1.8. Like --min-size it \
                needs a photo's first bytes only.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.aspect = try argument.aspect() }),
    ]
}
