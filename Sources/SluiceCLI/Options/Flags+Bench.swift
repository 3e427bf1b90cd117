// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench
internal import SluiceEngine
internal import SluiceModel

extension Flag {
    /// Options for what `bench` measures, and how.
    static let bench: [Flag] = sweep + origin + measurement + exports

    private static let sweep: [Flag] = [
        Flag(
            long: "concurrency", short: "j", value: "LIST", commands: [.bench], isRecorded: false,
            help: "Concurrent loads to compare (default 1,2,4 to 256,auto)",
            longHelp: """
                Measures each of these numbers of concurrent loads, for example 1,8,64. auto measures a loader that \
                starts with \(MirrorOptions.initialConcurrency) and adjusts the number itself, up to \
                \(MirrorOptions.maximumConcurrency). The default is 1,2,4,8,16,32,64,128,256,auto. With --against it is \
                1,2,4,8,16.
                """,
            apply: { options, argument in
                let (counts, hasAuto) = try argument.concurrencies(to: 4096)
                options[BenchArguments.self].loader.concurrency = counts
                options[BenchArguments.self].loader.auto = hasAuto ? BenchArguments.auto : nil
                options[BenchArguments.self].hasConcurrency = true
            }),
        Flag(
            long: "per-host", value: "LIST", commands: [.bench], isRecorded: false,
            help: "Loads per host to compare (default: as --concurrency)",
            longHelp: """
                Measures each of these limits for one host. By default the built-in origin has the limit of \
                --concurrency, and a real host (--against) at most \(LoaderBenchOptions.politePerHostLimit).
                """,
            apply: { $0[BenchArguments.self].loader.perHost = try $1.counts(to: 4096) }),
        Flag(
            long: "http", value: "LIST", commands: [.bench], isRecorded: false,
            help: "HTTP versions to compare", default: defaults.http.joined(),
            longHelp: """
                Measures each listed version out of auto, 1.1 and 2, for example 1.1,2. The built-in origin supports \
                only 1.1, so 2 requires --against.
                """,
            apply: { $0[BenchArguments.self].loader.http = try $1.choices(of: HTTPVersion.self).map(\.rawValue) }),
        Flag(
            long: "thumbnails", value: "LIST", commands: [.bench], isRecorded: false,
            help: "Thumbnail sizes to compare", default: "none",
            longHelp: """
                Measures loads without thumbnails (none), with thumbnails of a side length, or both, for example \
                none,256. Thumbnails are made while other photos load.
                """,
            apply: { $0[BenchArguments.self].loader.thumbnails = try $1.sideLengths() }),
        Flag(
            long: "workers", value: "LIST", commands: [.bench], isRecorded: false,
            help: "Concurrent decodes to compare (default: CPU cores)",
            longHelp: "Measures each of these numbers of concurrent decodes. The default is one per core.",
            apply: { $0[BenchArguments.self].loader.workers = try $1.counts(to: 1024) }),
    ]

    private static let origin: [Flag] = [
        Flag(
            long: "images", value: "N", commands: [.bench], isRecorded: false,
            help: "Number of pictures", default: "\(model.images)",
            longHelp: "Uses a set of N generated photographs. The same seed gives the same set.",
            apply: { $0[BenchArguments.self].loader.origin.images = try $1.count(to: 1_000_000) }),
        Flag(
            long: "bytes", value: "SIZE", commands: [.bench], isRecorded: false,
            help: "Bytes of each picture", default: "\(model.bytes)",
            longHelp: "Makes every picture exactly this large, from 2k on. k and M are multiples of 1024.",
            apply: { $0[BenchArguments.self].loader.origin.bytes = try $1.bytes() }),
        Flag(
            long: "network", value: .choice(of: NetworkPreset.self), commands: [.bench], isRecorded: false,
            help: "Network to simulate", default: model.network.rawValue,
            longHelp: """
                Simulates a network: clean has 50ms of latency and loses nothing; home and mobile are slower \
                connections; lossy loses 1% of the packets, and with faulty 5% of the requests fail. Documentation/bench.md lists \
                their figures. --latency, --jitter, --bandwidth, --per-connection, --loss and --fault replace parts of it.
                """,
            apply: { $0[BenchArguments.self].setNetwork(try $1.choice(of: NetworkPreset.self)) }),
        Flag(
            long: "latency", value: "TIME", commands: [.bench], isRecorded: false,
            help: "Delay before each reply", default: shown(model.latency),
            longHelp: """
                Makes the origin wait this long before the first byte of each reply. The default is that of --network; \
                none disables the delay.
                """,
            apply: { options, argument in
                let latency = try argument.delay()
                options[BenchArguments.self].changeNetwork { $0.latency = latency }
            }
        ),
        Flag(
            long: "jitter", value: "TIME", commands: [.bench], isRecorded: false,
            help: "Maximum additional delay", default: shown(model.jitter),
            longHelp: """
                Makes a reply wait up to this much longer, by a fixed random sequence. The default is that of \
                --network.
                """,
            apply: { options, argument in
                let jitter = try argument.delay()
                options[BenchArguments.self].changeNetwork { $0.jitter = jitter }
            }),
        Flag(
            long: "bandwidth", value: "SIZE", commands: [.bench], isRecorded: false,
            help: "Total bytes per second of the origin", default: shown(bytes: model.bandwidth),
            longHelp: """
                Limits the bytes per second of all connections together. The default is that of --network; none sets \
                no limit.
                """,
            apply: { options, argument in
                let limit = try argument.bandwidthLimit()
                options[BenchArguments.self].changeNetwork { $0.bandwidth = limit }
            }),
        Flag(
            long: "per-connection", value: "SIZE", commands: [.bench], isRecorded: false,
            help: "Bytes per second of one connection", default: shown(bytes: model.perConnection),
            longHelp: """
                Limits the bytes per second of each connection. The default is that of --network; none sets no limit.
                """,
            apply: { options, argument in
                let limit = try argument.bandwidthLimit()
                options[BenchArguments.self].changeNetwork { $0.perConnection = limit }
            }),
        Flag(
            long: "loss", value: "N%", commands: [.bench], isRecorded: false,
            help: "Share of packets to lose and resend", default: "\(Int(model.loss * 100))%",
            longHelp: """
                Pauses a body for one round trip for each packet of this share, and for at least 200ms for one of \
                its last packets: this is the cost of a loss for the reader. The slowdown of the connection \
                afterwards is not modelled. The default is that of --network.
                """,
            apply: { options, argument in
                let loss = try argument.percentage() / 100
                options[BenchArguments.self].changeNetwork { $0.loss = loss }
            }),
        Flag(
            long: "fault", value: "N%:KIND", commands: [.bench], isRecorded: false,
            help: "Inject faults, e.g. 5%:timeout; repeatable", default: "none",
            longHelp: """
                Makes this share of the requests fail, selected by address and attempt: timeout never replies, stall \
                stops halfway, cut disconnects halfway, close disconnects at once, and 503, 429 and 404 are \
                statuses. Repeatable. Each setting is measured without and with the faults, which shows their cost. \
                The default is that of --network; none injects no faults.
                """,
            apply: { options, argument in
                let fault = try argument.fault()
                let replaces = !options[BenchArguments.self].hasFaults || fault == nil
                options[BenchArguments.self].hasFaults = true
                options[BenchArguments.self].changeNetwork { origin in
                    if replaces { origin.faults = [] }
                    if let fault { origin.faults.append(fault) }
                }
            }),
        Flag(
            long: "seed", value: "N", commands: [.bench], isRecorded: false,
            help: "Seed for pictures, faults and order", default: "\(model.seed)",
            longHelp: "The same seed gives the same pictures, faults and order of samples.",
            apply: { $0[BenchArguments.self].loader.origin.seed = try $1.count(from: 0, to: 1_000_000_000) }),
    ]

    private static let measurement: [Flag] = [
        Flag(
            long: "against", value: ValuePlaceholder("LIST", .file), commands: [.bench], isRecorded: false,
            help: "Load the URLs in this file instead of the origin's",
            longHelp: """
                Loads real URLs, one per line, from hosts that are not yours: at most \
                \(LoaderBenchOptions.politePerHostLimit) concurrently per host, \(LoaderBenchOptions.politeRequestLimit) \
                requests in total, and only those that robots.txt allows. Prints the number of requests first, and \
                sends them only with --yes.
                """,
            apply: { $0[BenchArguments.self].list = try $1.singleLine("a file name") }),
        Flag(
            long: "yes", commands: [.bench], isRecorded: false,
            help: "Confirm the requests of --against",
            longHelp: "Confirms the requests that --against announces.",
            apply: { $0[BenchArguments.self].isConfirmed = $1.isOn }),
        Flag(
            long: "repeat", value: "N", commands: [.bench], isRecorded: false,
            help: "Samples of each setting", default: "\(defaults.repeats)",
            longHelp: """
                Measures each setting N times, in rounds, each in another order. At least five samples are needed to \
                distinguish a difference from noise.
                """,
            apply: { $0[BenchArguments.self].loader.repeats = try $1.count(to: 1000) }),
        Flag(
            long: "max-sample-time", aliases: ["longest"], value: "TIME", commands: [.bench], isRecorded: false,
            help: "Stop starting loads after this time", default: shown(defaults.maximumSampleTime),
            longHelp: """
                Stops starting loads in a sample after this time, even if pictures remain; loads in flight may finish. \
                A slow setting therefore takes no longer than a fast one.
                """,
            apply: { $0[BenchArguments.self].loader.maximumSampleTime = try $1.duration() }),
        Flag(
            long: "timeout", value: "TIME", commands: [.bench], isRecorded: false,
            help: "Time limit for a reply to start", default: shown(defaults.timeout),
            longHelp: "Aborts an attempt without a reply within this time; another attempt follows.",
            apply: { $0[BenchArguments.self].loader.timeout = try $1.duration() }),
        Flag(
            long: "retries", value: "N", commands: [.bench], isRecorded: false,
            help: "Retries after a temporary failure", default: "\(defaults.retries)",
            longHelp: "Repeats a load up to N times after a failure that may pass.",
            apply: { $0[BenchArguments.self].loader.retries = try $1.count(from: 0, to: 100) }),
    ]

    private static let exports: [Flag] = ExportFormat.allCases.map { format in
        Flag(
            long: "export-\(format.rawValue)", value: .file, commands: [.bench], isRecorded: false,
            help: "Write the results as \(format.displayName)",
            longHelp: """
                Writes the results as \(format.displayName) to FILE. If FILE is -, prints them to standard output instead of the table.
                """,
            apply: { $0[BenchArguments.self].exports.append((format, try $1.singleLine("a file name"))) })
    }

    private static let defaults = LoaderBenchOptions()
    private static let model = OriginProfile()
}
