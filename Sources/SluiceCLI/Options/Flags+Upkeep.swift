// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How a mirror that stands is looked after.
    static let upkeep: [Flag] = [
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
    ]
}
