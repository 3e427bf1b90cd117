// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What a run was set to, as far as a sentence on its bottleneck needs to know.
struct Levers: Sendable, Hashable {
    /// How many items could have a slot.
    var slots = 1
    /// Whether a run finds by itself how many of those are worth having.
    var findsSlots = false
    /// How many transfers a host could have.
    var perHost = 1
    /// How many pictures could be decoded at once.
    var decoders = 1
    /// How many could be, if they all had room.
    var cores = 1
    /// How many photos a page was asked for, if that was chosen.
    var perPage: Int?
    /// The memory of all decodes, in MB.
    var memory = 0
    /// Whether hosts are asked no faster than the user allows.
    var hasRate = false
    /// Whether bytes come no faster than the user allows.
    var hasBandwidth = false
    /// What outlives a power cut.
    var durability = Durability.batch
    /// Whether photos come over the network.
    var isRemote = true
}

extension RunReport.Finding {
    /// Says what held a run up for a share of its time, and which flag may help.
    ///
    /// `pauses` is how often hosts were left alone; `isMemory` says that decoders waited for memory and not for cores.
    init(_ bottleneck: Bottleneck, share: Double, levers: Levers, pauses: Int, isMemory: Bool) {
        let (words, flag) = Self.advice(bottleneck, levers, pauses: pauses, isMemory: isMemory)
        let percent = Int((share * 100).rounded())
        self.init(
            bottleneck, share: share,
            sentence: "Limited by \(Self.name(of: bottleneck)) for \(percent) % of the time: \(words).", flag: flag)
    }

    private static func name(of bottleneck: Bottleneck) -> String {
        bottleneck == .hosts ? "the hosts' limits" : "the \(bottleneck.rawValue)"
    }

    private static func advice(
        _ bottleneck: Bottleneck, _ levers: Levers, pauses: Int, isMemory: Bool
    ) -> (words: String, flag: String?) {
        switch bottleneck {
        case .network:
            if levers.hasBandwidth {
                return ("no more bytes were allowed; a higher --bandwidth lets more come", "--bandwidth")
            }
            if levers.findsSlots {
                return ("--concurrency auto has as many transfers at a time as it finds to be worth having", nil)
            }
            let words = "all \(levers.slots) slots were taken by transfers"
            return (
                "\(words); --concurrency \(levers.slots * 2) may be quicker, if the network has more to give",
                "--concurrency"
            )
        case .hosts: return hosts(levers, pauses: pauses)
        case .decode:
            if isMemory {
                return ("photos waited for memory to be decoded in; try --memory \(levers.memory * 2)M", "--memory")
            }
            let words =
                "photos waited for \(levers.decoders == 1 ? "the one decoder" : "one of \(levers.decoders) decoders")"
            if levers.decoders < levers.cores {
                let more = "--memory \(levers.memory)M has room for no more of them; try --memory \(levers.memory * 2)M"
                return ("\(words), and \(more)", "--memory")
            }
            return ("\(words); fewer or smaller --sizes, or --quality-mode fast, take less time", "--quality-mode")
        case .disk:
            if !levers.isRemote, levers.durability == .none {
                return ("files could not be read and written faster", nil)
            }
            switch levers.durability {
            case .each:
                return (
                    "each file was made safe by itself; --durability batch does so for many at once", "--durability"
                )
            case .batch:
                return (
                    "files waited to be read or made safe; --durability none is quicker, but a power cut may tear files",
                    "--durability"
                )
            case .none: return ("files could not be written faster", nil)
            }
        case .feed:
            let words = "everybody waited for the next page"
            guard let perPage = levers.perPage else {
                return (
                    "\(words); --per-page with a larger number asks for more at a time, where the feed allows that",
                    "--per-page"
                )
            }
            return (
                "\(words); --per-page \(perPage * 2) asks for more at a time, where the feed allows that", "--per-page"
            )
        }
    }

    private static func hosts(_ levers: Levers, pauses: Int) -> (words: String, flag: String?) {
        if levers.hasRate { return ("hosts were asked no faster than --rate allows", "--rate") }
        if pauses > 0 {
            let count = pauses == 1 ? "once" : "\(pauses) times"
            return (
                "hosts had to be left alone \(count); a lower --per-host than \(levers.perHost) may bring fewer pauses",
                "--per-host"
            )
        }
        let words = "slots were free, but a host has at most \(levers.perHost) transfers at a time"
        return ("\(words); try --per-host \(levers.perHost * 2), where the hosts permit that", "--per-host")
    }
}
