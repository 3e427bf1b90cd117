// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How photos are downloaded.
    static let transfer: [Flag] = [
        Flag(
            long: "concurrency", short: "j", value: Placeholder("N|auto"), category: .transfer, commands: [.mirror],
            help: "Photos under way at once (default \(defaults.concurrency))",
            longHelp: """
                Has at most N photos under way at once, from 1 to 4096. With auto a run begins with \
                \(MirrorOptions.firstWidth) and finds, from 1 to \(MirrorOptions.mostWidth), the number with which the most \
                photos and bytes come in a second; --per-host still holds. The default is \(defaults.concurrency).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.adaptsConcurrency = argument.text == "auto"
                options.mirror.concurrency = try argument.width()
            }),
        Flag(
            long: "per-host", value: Placeholder("N"), category: .transfer, commands: [.mirror],
            help: "Transfers of one host at once (default \(defaults.perHost))",
            longHelp: """
                Asks no host for more than N photos at once, whatever --concurrency allows. The default is \
                \(defaults.perHost).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.perHost = try argument.count(from: 1, to: 4096)
            }),
        Flag(
            long: "timeout", value: Placeholder("TIME"), category: .transfer, commands: [.mirror],
            help: "Longest time for one transfer (default \(timeoutDefault))",
            longHelp: """
                Ends a transfer that takes longer, with the cause timeout. Times take ms, s, m and h (500ms, 30s, 5m); a \
                bare number is seconds. The default is \(timeoutDefault).
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.timeout = try argument.duration() }),
        Flag(
            long: "retries", value: Placeholder("N"), category: .transfer, commands: [.mirror],
            help: "Further attempts where they can help (default \(defaults.retries))",
            longHelp: """
                Tries a transfer up to N times more where another try can help (a timeout, a lost connection, a server's \
                fault), after a pause that grows; never where it cannot (404). 0 tries once. The default is \
                \(defaults.retries).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.retries = try argument.count(from: 0, to: 100)
            }),
        Flag(
            long: "user-agent", value: Placeholder("TEXT"), category: .transfer, commands: [.mirror],
            help: "What Sluice calls itself",
            longHelp: "Sends TEXT as the User-Agent. Without it Sluice gives its own name and version.",
            apply: { (options, argument) throws(Refusal) in options.mirror.userAgent = try argument.line() }),
        Flag(
            long: "contact", value: Placeholder("TEXT"), category: .transfer, commands: [.mirror],
            help: "Whom hosts may write to: a mail or an address",
            longHelp: """
                Sends TEXT behind Sluice's name in the User-Agent, so that a host can write rather than block. Wikimedia \
                asks for it. With --user-agent it is not added.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.contact = try argument.line() }),
        Flag(
            long: "header", value: Placeholder("'K: V'"), category: .transfer, commands: [.mirror, .adopt],
            isLasting: false,
            isRepeatable: true, isSecret: true,
            help: "Send this header to the feed's host; may be repeated",
            longHelp: """
                Sends a further request header, to the feed's own host and to no other, so that a key never travels. May \
                be given more than once.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.headers.append(try argument.header()) }),
    ]

    private static let defaults = MirrorOptions()
    private static let timeoutDefault = "\(defaults.timeout.components.seconds)s"
}
