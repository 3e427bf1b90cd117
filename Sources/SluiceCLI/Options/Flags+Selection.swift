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
            long: "variant", value: Placeholder("NAME"), category: .selection, commands: [.mirror],
            help: "Download this rendition of each photo",
            longHelp: """
                Downloads the rendition of that name, in the service's own words (raw, full, regular, small, thumb, \
                ...). With auto, the default, the feed chooses.
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
    ]
}
