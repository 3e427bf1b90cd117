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
            "concurrency", short: "j",
            .custom("LIST") { options, argument in
                let (counts, hasAuto) = try argument.concurrencies(to: 4096)
                options.bench.loader.concurrency = counts
                options.bench.loader.auto = hasAuto ? BenchArguments.auto : nil
                options.bench.hasConcurrency = true
            }, [.bench], isRecorded: false, "Concurrent loads to compare (default 1,2,4 to 256,auto)",
            """
            Measures each of these numbers of concurrent loads, for example 1,8,64. auto measures a loader that starts \
            with \(MirrorOptions.initialConcurrency) and adjusts the number itself, up to \
            \(MirrorOptions.maximumConcurrency). The default is 1,2,4,8,16,32,64,128,256,auto. With --against it is \
            1,2,4,8,16.
            """),
        Flag(
            "per-host", .value("LIST", \.bench.loader.perHost) { try $0.counts(to: 4096) }, [.bench], isRecorded: false,
            "Loads per host to compare (default: as --concurrency)",
            """
            Measures each of these limits for one host. By default the built-in origin has the limit of --concurrency, \
            and a real host (--against) at most \(LoaderBenchOptions.politePerHostLimit).
            """),
        Flag(
            "http", .value("LIST", \.bench.loader.http) { try $0.choices(of: HTTPVersion.self).map(\.rawValue) },
            [.bench], isRecorded: false, default: defaults.http.joined(), "HTTP versions to compare",
            """
            Measures each listed version out of auto, 1.1 and 2, for example 1.1,2. The built-in origin supports only \
            1.1, so 2 requires --against.
            """),
        Flag(
            "thumbnails", .value("LIST", \.bench.loader.thumbnails) { try $0.sideLengths() }, [.bench],
            isRecorded: false, default: "none", "Thumbnail sizes to compare",
            """
            Measures loads without thumbnails (none), with thumbnails of a side length, or both, for example none,256. \
            Thumbnails are made while other photos load.
            """),
        Flag(
            "workers", .value("LIST", \.bench.loader.workers) { try $0.counts(to: 1024) }, [.bench], isRecorded: false,
            "Concurrent decodes to compare (default: CPU cores)",
            "Measures each of these numbers of concurrent decodes. The default is one per core."),
    ]

    private static let origin: [Flag] = [
        Flag(
            "images", .count(\.bench.loader.origin.images, to: 1_000_000), [.bench], isRecorded: false,
            "Number of pictures", "Uses a set of N generated photographs. The same seed gives the same set."),
        Flag(
            "bytes", .bytes(\.bench.loader.origin.bytes), [.bench], isRecorded: false, default: "\(model.bytes)",
            "Bytes of each picture",
            "Makes every picture exactly this large, from 2k on. k and M are multiples of 1024."),
        Flag(
            "network",
            .custom(.choice(of: NetworkPreset.self)) { $0.bench.setNetwork(try $1.choice(of: NetworkPreset.self)) },
            [.bench], isRecorded: false, default: model.network.rawValue, "Network to simulate",
            """
            Simulates a network: clean has 50ms of latency and loses nothing; home and mobile are slower connections; \
            lossy loses 1% of the packets, and with faulty 5% of the requests fail. Documentation/bench.md lists their \
            figures. --latency, --jitter, --bandwidth, --per-connection, --loss and --fault replace parts of it.
            """),
        Flag(
            "latency", .network("TIME", \.latency) { try $0.delay() }, [.bench], isRecorded: false,
            default: shown(model.latency), "Delay before each reply",
            """
            Makes the origin wait this long before the first byte of each reply. The default is that of --network; \
            none disables the delay.
            """),
        Flag(
            "jitter", .network("TIME", \.jitter) { try $0.delay() }, [.bench], isRecorded: false,
            default: shown(model.jitter), "Maximum additional delay",
            "Makes a reply wait up to this much longer, by a fixed random sequence. The default is that of --network."),
        Flag(
            "bandwidth", .network("SIZE", \.bandwidth) { try $0.bandwidthLimit() }, [.bench], isRecorded: false,
            default: shown(bytes: model.bandwidth), "Total bytes per second of the origin",
            """
            Limits the bytes per second of all connections together. The default is that of --network; none sets no \
            limit.
            """),
        Flag(
            "per-connection", .network("SIZE", \.perConnection) { try $0.bandwidthLimit() }, [.bench],
            isRecorded: false,
            default: shown(bytes: model.perConnection), "Bytes per second of one connection",
            "Limits the bytes per second of each connection. The default is that of --network; none sets no limit."),
        Flag(
            "loss", .network("N%", \.loss) { try $0.percentage() / 100 }, [.bench], isRecorded: false,
            default: "\(Int(model.loss * 100))%", "Share of packets to lose and resend",
            """
            Pauses a body for one round trip for each packet of this share, and for at least 200ms for one of its last \
            packets: this is the cost of a loss for the reader. The slowdown of the connection afterwards is not \
            modelled. The default is that of --network.
            """),
        Flag(
            "fault",
            .custom("N%:KIND") { options, argument in
                let fault = try argument.fault()
                let replaces = !options.bench.hasFaults || fault == nil
                options.bench.hasFaults = true
                options.bench.changeNetwork { origin in
                    if replaces { origin.faults = [] }
                    if let fault { origin.faults.append(fault) }
                }
            }, [.bench], isRecorded: false, default: "none", "Inject faults, e.g. 5%:timeout; repeatable",
            """
            Makes this share of the requests fail, selected by address and attempt: timeout never replies, stall stops \
            halfway, cut disconnects halfway, close disconnects at once, and 503, 429 and 404 are statuses. \
            Repeatable. Each setting is measured without and with the faults, which shows their cost. The default is \
            that of --network; none injects no faults.
            """),
        Flag(
            "seed", .count(\.bench.loader.origin.seed, from: 0, to: 1_000_000_000), [.bench], isRecorded: false,
            "Seed for pictures, faults and order",
            "The same seed gives the same pictures, faults and order of samples."),
    ]

    private static let measurement: [Flag] = [
        Flag(
            "against", .text(ValuePlaceholder("LIST", .file), \.bench.list, "a file name"), [.bench], isRecorded: false,
            "Load the URLs in this file instead of the origin's",
            """
            Loads real URLs, one per line, from hosts that are not yours: at most \
            \(LoaderBenchOptions.politePerHostLimit) concurrently per host, \(LoaderBenchOptions.politeRequestLimit) \
            requests in total, and only those that robots.txt allows. Prints the number of requests first, and sends \
            them only with --yes.
            """),
        Flag(
            "yes", .on(\.bench.isConfirmed), [.bench], isRecorded: false, "Confirm the requests of --against",
            "Confirms the requests that --against announces."),
        Flag(
            "repeat", .count(\.bench.loader.repeats, to: 1000), [.bench], isRecorded: false, "Samples of each setting",
            """
            Measures each setting N times, in rounds, each in another order. At least five samples are needed to \
            distinguish a difference from noise.
            """),
        Flag(
            "max-sample-time", aliases: ["longest"], .time(\.bench.loader.maximumSampleTime), [.bench],
            isRecorded: false, "Stop starting loads after this time",
            """
            Stops starting loads in a sample after this time, even if pictures remain; loads in flight may finish. A \
            slow setting therefore takes no longer than a fast one.
            """),
        Flag(
            "timeout", .time(\.bench.loader.timeout), [.bench], isRecorded: false, "Time limit for a reply to start",
            "Aborts an attempt without a reply within this time; another attempt follows."),
        Flag(
            "retries", .count(\.bench.loader.retries, from: 0, to: 100), [.bench], isRecorded: false,
            "Retries after a temporary failure", "Repeats a load up to N times after a failure that may pass."),
    ]

    private static let exports: [Flag] = ExportFormat.allCases.map { format in
        Flag(
            "export-\(format.rawValue)",
            .custom(.file) { $0.bench.exports.append((format, try $1.singleLine("a file name"))) },
            [.bench], isRecorded: false, "Write the results as \(format.displayName)",
            """
            Writes the results as \(format.displayName) to FILE. If FILE is -, prints them to standard output instead \
            of the table.
            """)
    }

    private static let defaults = LoaderBenchOptions()
    private static let model = OriginProfile()
}

extension FlagValue {
    /// A part of the network, which no preset replaces.
    fileprivate static func network<Value: Sendable>(
        _ placeholder: ValuePlaceholder, _ part: any WritableKeyPath<OriginProfile, Value> & Sendable,
        _ parse: @escaping @Sendable (Argument) throws -> Value
    ) -> FlagValue {
        custom(placeholder) { options, argument in
            let value = try parse(argument)
            options.bench.changeNetwork { $0[keyPath: part] = value }
        }
    }
}
