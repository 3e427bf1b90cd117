// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How much is asked of hosts and of the line.
    static let manners: [Flag] = [
        Flag(
            long: "rate", value: Placeholder("N/s"), category: .network, commands: [.mirror],
            help: "Requests to one host in a time, such as 5/s",
            longHelp: """
                Asks no host more often than that, evenly: 5/s, 90/m, 1000/h. Without it only --per-host and what hosts \
                ask for bound the rate.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.network.rate = try argument.rate() }),
        Flag(
            long: "bandwidth", value: Placeholder("SIZE"), category: .network, commands: [.mirror],
            help: "Bytes a second at most, in all",
            longHelp: """
                Lets at most that many bytes arrive in a second, all transfers together, such as 25M or 500k. Without it \
                they are as fast as they come.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.network.bandwidth = try argument.bytes() }),
        Flag(
            long: "robots", undo: "no-robots", category: .network, commands: [.mirror],
            help: "Keep to the hosts' robots.txt",
            longHelp: """
                Reads the robots.txt of each host once, and skips what it excludes, with the cause opted-out. Without it \
                that is done for feeds that list other people's pages; a service's own API is asked either way.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.network.keepsToRobots = argument.isOn }),
        Flag(
            long: "ignore-opt-out", undo: "no-ignore-opt-out", category: .network, commands: [.mirror],
            help: "Take photos whose host says noai or noimageindex",
            longHelp: """
                Takes photos too whose host excludes them from collections with an X-Robots-Tag of noai, noimageai, \
                noimageindex or a past unavailable_after. Without it they are skipped, with the cause opted-out.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.network.honoursOptOut = !argument.isOn }),
    ]
}
