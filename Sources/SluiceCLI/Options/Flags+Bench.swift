// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

extension Flag {
    /// What `bench` measures, and how.
    static let bench: [Flag] = swept + origin + codecs + measuring

    private static let swept: [Flag] = [
        Flag(
            long: "concurrency", short: "j", value: Placeholder("LIST"), category: .bench, commands: [.bench],
            isLasting: false,
            subjects: [.loader, .replay], help: "Loads under way at once (default 1,2,4 to 256,auto)",
            longHelp: """
                Measures each of these numbers of loads under way at once, such as 1,8,64, and with auto a loader that begins \
                with \(MirrorOptions.firstWidth) and finds the number by itself, up to \(MirrorOptions.mostWidth). The default is \
                1,2,4,8,16,32,64,128,256,auto, with --against 1,2,4,8,16, and for replay what the run had, half of that and twice \
                that.
                """,
            apply: { (options, argument) throws(Refusal) in
                let (counts, hasAuto) = try argument.widths(to: 4096)
                options.bench.loader.concurrency = counts
                options.bench.loader.auto = hasAuto ? BenchWords.auto : nil
                options.bench.namesConcurrency = true
            }),
        Flag(
            long: "per-host", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "Loads of one host at once (default as many)",
            longHelp: """
                Measures each of these bounds for one host. Without it the origin has as many as --concurrency says, and a \
                stranger's host, with --against, \(LoaderBenchOptions.politeWidth) at most; a replay's has what the run's had, and twice that.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.perHost = try argument.counts(to: 4096)
            }),
        Flag(
            long: "http", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "The versions of HTTP to compare (default auto)",
            longHelp: """
                Measures each of auto, 1.1 and 2 that is named, such as 1.1,2. The built-in origin speaks 1.1 alone, so 2 \
                takes --against.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.http = try argument.choices(of: HTTPVersion.self).map(\.rawValue)
            }),
        Flag(
            long: "thumbnails", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "Sides of thumbnails to make (default none)",
            longHelp: """
                Measures loads without thumbnails (none), with thumbnails of a side, or both, such as none,256. They are \
                made while others are being loaded.
                """,
            apply: { (options, argument) throws(Refusal) in options.bench.loader.thumbnails = try argument.sides() }),
        Flag(
            long: "workers", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay, .imaging],
            help: "Pictures decoded at once (default one a core)",
            longHelp: """
                Measures each of these numbers of pictures decoded at once. The default of loader is one for each core, that of \
                imaging 1 and one for each core.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.workers = try argument.counts(to: 1024)
                options.bench.imaging.workers = options.bench.loader.workers
            }),
    ]

    private static let origin: [Flag] = [
        Flag(
            long: "images", value: Placeholder("N"), category: .bench, commands: [.bench], isLasting: false,
            help: "Pictures of the set (default \(model.images))",
            longHelp:
                "Takes a set of N generated photographs, the same from the same seed. The default is \(model.images).",
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.origin.images = try argument.count(to: 1_000_000)
            }),
        Flag(
            long: "bytes", value: Placeholder("SIZE"), category: .bench, commands: [.bench], isLasting: false,
            help: "Bytes of each picture (default \(model.bytes / 1000)000)",
            longHelp: """
                Makes every picture exactly so large; from 2k on. k and M stand for steps of 1024. The default is \
                \(model.bytes) bytes.
                """,
            apply: { (options, argument) throws(Refusal) in options.bench.loader.origin.bytes = try argument.bytes() }),
        Flag(
            long: "latency", value: Placeholder("TIME"), category: .bench, commands: [.bench], isLasting: false,
            help: "How long each reply waits (default 50ms)",
            longHelp: "Has the origin wait so long before each reply's first byte. The default is 50ms; none for none.",
            apply: { (options, argument) throws(Refusal) in options.bench.loader.origin.latency = try argument.delay() }
        ),
        Flag(
            long: "jitter", value: Placeholder("TIME"), category: .bench, commands: [.bench], isLasting: false,
            help: "How much longer it may wait (default 10ms)",
            longHelp: "Has a reply wait up to so much longer, by a fixed sequence of chances. The default is 10ms.",
            apply: { (options, argument) throws(Refusal) in options.bench.loader.origin.jitter = try argument.delay() }),
        Flag(
            long: "bandwidth", value: Placeholder("SIZE"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "The origin's bytes a second in all (default 200M)",
            longHelp: """
                Has all connections together carry so many bytes a second at most. The default is 200M, and none for replay; \
                none sets no bound.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.origin.bandwidth = try argument.bound()
                options.bench.loader.replayedBandwidth = options.bench.loader.origin.bandwidth
            }),
        Flag(
            long: "per-connection", value: Placeholder("SIZE"), category: .bench, commands: [.bench], isLasting: false,
            help: "Bytes a second of one connection (default 5M)",
            longHelp: "Has one connection carry so many bytes a second at most. The default is 5M; none sets no bound.",
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.origin.perConnection = try argument.bound()
            }),
        Flag(
            long: "loss", value: Placeholder("N%"), category: .bench, commands: [.bench], isLasting: false,
            help: "Packets that are lost and sent again (default 1%)",
            longHelp: """
                Has a body stand still for a round trip for each packet of this share, and for 200ms at least for one of its \
                last: what a loss costs the reader. That a connection also becomes slower is not modelled. The default is 1%.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.origin.loss = try argument.share() / 100
            }),
        Flag(
            long: "fault", value: Placeholder("N%:KIND"), category: .bench, commands: [.bench], isLasting: false,
            help: "What goes wrong how often; may be repeated",
            longHelp: """
                Has this share of the requests go wrong, chosen by their address and attempt: timeout never replies, stall \
                stops and cut breaks off halfway, close breaks off at once, and 503, 429 and 404 are statuses. May be given \
                more than once. The default is 5%:timeout; none lets nothing go wrong.
                """,
            apply: { (options, argument) throws(Refusal) in
                let fault = try argument.fault()
                if !options.bench.hasFaults || fault == nil { options.bench.loader.origin.faults = [] }
                options.bench.hasFaults = true
                if let fault { options.bench.loader.origin.faults.append(fault) }
            }),
        Flag(
            long: "seed", value: Placeholder("N"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay, .imaging],
            help: "Decides pictures, faults and order (default \(model.seed))",
            longHelp:
                "The same seed gives the same pictures, faults and order of samples. The default is \(model.seed).",
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.origin.seed = try argument.count(from: 0, to: 1_000_000_000)
                options.bench.imaging.seed = options.bench.loader.origin.seed
            }),
    ]

    private static let codecs: [Flag] = [
        Flag(
            long: "formats", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.imaging],
            help: "Of imaging: formats (default jpeg,png,webp)",
            longHelp: "Has imaging measure each of jpeg, png and webp that is named. The default is all three.",
            apply: { (options, argument) throws(Refusal) in
                options.bench.imaging.formats = try argument.choices(of: BenchImageFormat.self).map(\.format)
            }),
        Flag(
            long: "widths", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.imaging],
            help: "Of imaging: the pictures' widths (default 1080,3000)",
            longHelp: "Has imaging measure generated photographs of each of these widths. The default is 1080,3000.",
            apply: { (options, argument) throws(Refusal) in
                options.bench.imaging.widths = try argument.counts(to: 16383)
            }),
        Flag(
            long: "modes", value: Placeholder("LIST"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.imaging],
            help: "Of imaging: quality modes (default all)",
            longHelp: "Has imaging measure each of fast, good and exact that is named. The default is all three.",
            apply: { (options, argument) throws(Refusal) in
                options.bench.imaging.modes = try argument.choices(of: ThumbnailOptions.QualityMode.self)
            }),
    ]

    private static let measuring: [Flag] = [
        Flag(
            long: "against", value: Placeholder("LIST", .file), category: .bench, commands: [.bench], isLasting: false,
            help: "Load the addresses in this file, not the origin's",
            longHelp: """
                Loads real addresses, one a line, from hosts that are not yours: at most \
                \(LoaderBenchOptions.politeWidth) of one host at once, \(LoaderBenchOptions.politeRequests) requests in all, \
                and only what their robots.txt allows. It says what it would do, and does it with --yes.
                """,
            apply: { (options, argument) throws(Refusal) in options.bench.list = try argument.line("a file's name") }),
        Flag(
            long: "yes", category: .bench, commands: [.bench], isLasting: false,
            help: "Do ask the hosts of --against",
            longHelp: "Agrees to what --against says that it would do.",
            apply: { (options, argument) throws(Refusal) in options.bench.agrees = argument.isOn }),
        Flag(
            long: "repeat", value: Placeholder("N"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay, .imaging],
            help: "Samples of each setting (default \(defaults.repeats))",
            longHelp: """
                Measures each setting N times, in rounds, each in another order. Fewer than five samples can tell no \
                difference from noise. The default is \(defaults.repeats).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.repeats = try argument.count(to: 1000)
                options.bench.imaging.repeats = options.bench.loader.repeats
            }),
        Flag(
            long: "longest", value: Placeholder("TIME"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "A sample begins nothing more behind this (default 10s)",
            longHelp: """
                Ends a sample behind this time, whatever is left of the set; what is under way may end. So a slow setting \
                takes no longer than a fast one. The default is 10s.
                """,
            apply: { (options, argument) throws(Refusal) in options.bench.loader.longest = try argument.duration() }),
        Flag(
            long: "timeout", value: Placeholder("TIME"), category: .bench, commands: [.bench], isLasting: false,
            help: "Longest silence before a reply (default 2s)",
            longHelp: "Ends an attempt to which no reply has come in that time; another follows. The default is 2s.",
            apply: { (options, argument) throws(Refusal) in options.bench.loader.timeout = try argument.duration() }),
        Flag(
            long: "retries", value: Placeholder("N"), category: .bench, commands: [.bench], isLasting: false,
            subjects: [.loader, .replay],
            help: "Further attempts where they can help (default \(defaults.retries))",
            longHelp: "Tries a load up to N times more where another try can help. The default is \(defaults.retries).",
            apply: { (options, argument) throws(Refusal) in
                options.bench.loader.retries = try argument.count(from: 0, to: 100)
            }),
    ]

    private static let defaults = LoaderBenchOptions()
    private static let model = OriginModel()
}
