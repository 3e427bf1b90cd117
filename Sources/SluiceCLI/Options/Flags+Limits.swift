// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What a photo may cost before it is refused.
    static let limits: [Flag] = [
        Flag(
            long: "max-bytes", value: Placeholder("SIZE"), category: .limits, commands: pictures,
            help: "Refuse larger files (default \(mirror.maxBytes >> 20)M; of thumbs \(thumbs.maxBytes >> 30)G)",
            longHelp: """
                Refuses a file of more bytes: mirror ends its transfer, thumbs does not read it. Its item fails with \
                too-large. k, M and G stand for steps of 1024. The default is \(mirror.maxBytes >> 20)M, and \
                \(thumbs.maxBytes >> 30)G for thumbs.
                """,
            apply: { (options, argument) throws(Refusal) in options.maxBytes = try argument.bytes() }),
        Flag(
            long: "max-pixels", value: Placeholder("N"), category: .limits, commands: pictures,
            help: "Refuse larger photos (default \(decode.pixels / 1_000_000)M)",
            longHelp: """
                Refuses a photo of more than N pixels by its header, before memory is taken for it; its item fails with \
                too-many-pixels. k, M and G stand for thousands, millions and thousand millions. The default is \
                \(decode.pixels / 1_000_000)M.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.limits.pixels = try argument.quantity()
            }),
        Flag(
            long: "memory", value: Placeholder("SIZE"), category: .limits, commands: pictures,
            help: "Memory for what is in flight (default \(mirror.memory >> 20)M)",
            longHelp: """
                Lets all that is in flight take so much memory: decodes, by what their headers tell, the connections' \
                buffers, and events that wait for a reader. Most photos take a few megabytes, a progressive JPEG 3 to 6 \
                bytes a pixel, an interlaced PNG or a WebP 3 to 8. A photo waits for its share in turn; one that alone \
                would take more fails with decode-limit. What the program takes itself comes on top; so there are fewer \
                decoders where the memory is small. k, M and G stand for steps of 1024. The default is \
                \(mirror.memory >> 20)M.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.memory = try argument.bytes()
            }),
        Flag(
            long: "decode-timeout", value: Placeholder("TIME"), category: .limits, commands: pictures,
            help: "Longest time for one decode (default \(Int(decode.seconds))s)",
            longHelp: """
                Ends a decode that takes longer; its item fails with decode-limit. Times take ms, s, m and h (500ms, 30s, \
                5m); a bare number is seconds. The default is \(Int(decode.seconds))s.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.thumbnails.limits.seconds = try argument.duration() / .seconds(1)
            }),
        Flag(
            long: "isolate", undo: "no-isolate", category: .limits, commands: pictures + [.verify],
            help: "Decode in processes that can do nothing else",
            longHelp: """
                Decodes in processes of their own, without files, without a network, with a bound on memory and time: a \
                photo that breaks its decoder fails alone, with decoder-crashed, and the run goes on. `sluice doctor` \
                says what of that this machine has. mirror and verify --deep, whose photos are strangers', do so unless \
                --no-isolate is given; thumbs, for which it takes longer to start and more memory, only when asked.
                """,
            apply: { (options, argument) throws(Refusal) in options.isolates = argument.isOn }),
    ]

    private static let mirror = MirrorOptions()
    private static let thumbs = ThumbnailRunOptions()
    private static let decode = ImageLimits()
}
