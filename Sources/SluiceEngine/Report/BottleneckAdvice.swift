// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RunReport.Finding {
    /// Describes what limited a run for a share of its time, and which flag may help.
    ///
    /// `pauses` is the number of times that hosts were paused. `isMemoryBound` says that photos waited for memory and
    /// not for a free decoder.
    init(_ bottleneck: Bottleneck, share: Double, tuning: TuningContext, pauses: Int, isMemoryBound: Bool) {
        let (reason, flag) = Self.advice(bottleneck, tuning, pauses: pauses, isMemoryBound: isMemoryBound)
        let percent = Int(rounding: share * 100)
        self.init(
            bottleneck, share: share,
            sentence: "\(Self.subject(bottleneck)) limited the run for \(percent) % of the time: \(reason).",
            flag: flag?.rawValue)
    }

    private static func subject(_ bottleneck: Bottleneck) -> String {
        switch bottleneck {
        case .network: "The network"
        case .bandwidth: "The bandwidth limit"
        case .hosts: "The hosts' limits"
        case .decode: "Decoding"
        case .disk: "The disk"
        case .feed: "The feed"
        case .input: "Standard input"
        }
    }

    private static func advice(
        _ bottleneck: Bottleneck, _ tuning: TuningContext, pauses: Int, isMemoryBound: Bool
    ) -> (reason: String, flag: CommandFlag?) {
        switch bottleneck {
        case .network:
            if tuning.adaptsSlots {
                return ("\(CommandFlag.concurrency) auto already runs as many transfers as are useful", nil)
            }
            let reason = "transfers used all \(tuning.slots) slots"
            return (
                "\(reason); \(CommandFlag.concurrency) \(tuning.slots * 2) may be faster if the network has spare capacity",
                .concurrency
            )
        case .bandwidth: return ("transfers reached it; a higher \(CommandFlag.bandwidth) may be faster", .bandwidth)
        case .hosts: return hosts(tuning, pauses: pauses)
        case .decode: return decoding(tuning, isMemoryBound: isMemoryBound)
        case .disk:
            if !tuning.isRemote, tuning.durability == .none {
                return ("files could not be read and written faster", nil)
            }
            switch tuning.durability {
            case .each:
                return (
                    "each file was flushed separately; \(CommandFlag.durability) batch flushes many together",
                    .durability
                )
            case .batch:
                return (
                    "files waited to be read or flushed; \(CommandFlag.durability) none is faster, but a power failure may damage files",
                    .durability
                )
            case .none: return ("files could not be written faster", nil)
            }
        case .input: return ("all slots waited for the program that writes the list", nil)
        case .feed:
            let reason = "all slots waited for the next page"
            let larger = tuning.perPage.flatMap { Quantity.range.contains($0) ? "\($0 * 2)" : nil }
            let value = larger ?? "with a larger number"
            return (
                "\(reason); \(CommandFlag.perPage) \(value) requests larger pages if the feed supports them", .perPage
            )
        }
    }

    private static func decoding(
        _ tuning: TuningContext, isMemoryBound: Bool
    ) -> (reason: String, flag: CommandFlag?) {
        if isMemoryBound {
            return (
                "photos waited for memory for decoding; try \(CommandFlag.memory) \(tuning.memory * 2)M", .memory
            )
        }
        let reason =
            "photos waited for \(tuning.decoders == 1 ? "the only decoder" : "one of \(tuning.decoders) decoders")"
        if tuning.decoders < tuning.cores {
            let hint =
                "\(CommandFlag.memory) \(tuning.memory)M allows no more; try \(CommandFlag.memory) \(tuning.memory * 2)M"
            return ("\(reason), and \(hint)", .memory)
        }
        return (
            "\(reason); fewer or smaller \(CommandFlag.sizes), or \(CommandFlag.qualityMode) fast, take less time",
            .qualityMode
        )
    }

    private static func hosts(_ tuning: TuningContext, pauses: Int) -> (reason: String, flag: CommandFlag?) {
        if tuning.hasRate { return ("requests reached the limit set by \(CommandFlag.rate)", .rate) }
        if pauses > 0 {
            let count = pauses == 1 ? "once" : "\(pauses) times"
            return (
                "hosts were paused \(count); a lower \(CommandFlag.perHost) than \(tuning.perHost) may cause fewer pauses",
                .perHost
            )
        }
        let reason = "slots were free, but each host is limited to \(tuning.perHost) transfers at a time"
        return ("\(reason); try \(CommandFlag.perHost) \(tuning.perHost * 2) if the hosts permit that", .perHost)
    }
}

extension MirrorOptions {
    /// The settings that the advice about a bottleneck depends on.
    package func tuning(width: Int, isRemote: Bool) -> TuningContext {
        var tuning = run.tuning(slots: width, perHost: perHost, cores: Machine.cores, isRemote: isRemote)
        tuning.adaptsSlots = adaptsConcurrency
        tuning.perPage = perPage
        tuning.hasRate = network.rate != nil
        return tuning
    }
}

extension ThumbnailRunOptions {
    /// The settings that the advice about a bottleneck depends on.
    package func tuning(width: Int, jobs: Int) -> TuningContext {
        run.tuning(slots: width, perHost: width, cores: jobs, isRemote: false)
    }
}

extension RunOptions {
    fileprivate func tuning(slots: Int, perHost: Int, cores: Int, isRemote: Bool) -> TuningContext {
        TuningContext(
            slots: slots, perHost: perHost, decoders: MemoryBudget(memory).decoders(upTo: cores, isolation),
            cores: cores, memory: memory >> 20, durability: durability, isRemote: isRemote)
    }
}
