// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How a mirror that stands is looked after.
    static let upkeep: [Flag] = [
        Flag(
            long: "retry", value: Placeholder("CAUSES"), category: .upkeep, commands: [.mirror], isLasting: false,
            help: "Try again what failed so, such as dns,timeout,http-5xx",
            longHelp: """
                Takes up the photos that ended with one of these causes, and nothing else: the feed is not walked, and \
                addresses are those that the ledger has. `sluice explain DIR` lists the causes; http-4xx stands for all of \
                that kind, deferred for what no run came to. Without it a run walks the feed, and tries again whatever it \
                lists and is not done, be it permanent or not.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.retriedCauses = try argument.causes() }),
        Flag(
            long: "retry-quarantined", category: .upkeep, commands: [.mirror, .thumbs], isLasting: false,
            help: "Decode again what ended its decoder twice",
            longHelp: """
                Decodes photos, too, that have ended their decoder twice, by a fault of its own or because the run was \
                killed meanwhile. Without it they are left alone, with the cause quarantined: their originals stay, and no \
                run decodes them. --retry=quarantined takes up just those.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.retriesQuarantined = argument.isOn }),
        Flag(
            long: "prune", category: .upkeep, commands: [.mirror], isLasting: false,
            help: "Remove what the feed lists no more",
            longHelp: """
                Removes, with their files, the photos that earlier runs of this SOURCE listed and this one did not. Only \
                once the feed was walked to its end, so not together with options that leave out a part of it, and only as \
                many as --prune-limit allows: else nothing goes, and the exit code is 8. With --dry-run the feed is read, and the \
                manifest's lines of what would go are printed; nothing is changed.
                """,
            apply: { (options, argument) throws(Refusal) in options.prunes = argument.isOn }),
        Flag(
            long: "prune-limit", value: Placeholder("N%"), category: .upkeep, commands: [.mirror], isLasting: false,
            help: "The most that --prune may remove (default \(Int(PruneOptions().limit))%)",
            longHelp: """
                Refuses to remove more than this share of the photos at once: a feed that breaks may look as if it had lost \
                most of them. The default is \(Int(PruneOptions().limit))%; 100% lets everything go.
                """,
            apply: { (options, argument) throws(Refusal) in options.pruneLimit = try argument.share() }),
        Flag(
            long: "leave-deleted", category: .upkeep, commands: [.mirror],
            help: "Leave out photos whose files you deleted",
            longHelp: """
                Takes a missing original of a photo that was done for a deletion on purpose: the photo is skipped from then \
                on, and its thumbnails go. Without it missing files are fetched again, those that were left out before, too.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.leavesDeleted = argument.isOn }),
        Flag(
            long: "deep", category: .upkeep, commands: [.verify], isLasting: false,
            help: "Decode every picture, too",
            longHelp: """
                Decodes every picture whose bytes are as they were, whole and with every scan: it finds what was damaged \
                before it was kept. What was kept as damaged (--salvage) is not held against it.
                """,
            apply: { (options, argument) throws(Refusal) in options.isDeep = argument.isOn }),
        Flag(
            long: "repair", category: .upkeep, commands: [.verify], isLasting: false,
            help: "Fetch and make again what is broken",
            longHelp: """
                Takes up the items whose files are missing, changed, damaged or unreadable, and no others. An original is \
                downloaded again, a thumbnail made of its original. A file that a user changed is replaced, too, once the \
                new one is whole.
                """,
            apply: { (options, argument) throws(Refusal) in options.repairs = argument.isOn }),
        Flag(
            long: "distance", value: Placeholder("N"), category: .upkeep, commands: [.duplicates], isLasting: false,
            help: "Bits in which hashes may differ, 0 to \(Mirror.furthestDistance) (default \(RawOptions().distance))",
            longHelp: """
                In how many of their 64 bits the perceptual hashes of two photos may differ for them to look alike: 0 finds \
                the same picture in another size or quality, more finds crops and retouched ones, and chance hits. The \
                default is \(RawOptions().distance), the most \(Mirror.furthestDistance).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.distance = try argument.count(from: 0, to: Mirror.furthestDistance)
            }),
        Flag(
            long: "merge", category: .upkeep, commands: [.duplicates], isLasting: false,
            help: "Keep the same bytes once, under all their names",
            longHelp: """
                Lets originals with the same bytes share them, once all of each was compared. On Btrfs and XFS the files \
                share their blocks, and stay files of their own; elsewhere one file gets all the names (hard links), and \
                a program that writes into one changes the others.
                """,
            apply: { (options, argument) throws(Refusal) in options.merges = argument.isOn }),
    ]
}
