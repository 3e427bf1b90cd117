// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Options for the address of `serve`.
    static let serving: [Flag] = [
        Flag(
            long: "port", value: "N", commands: [.serve], others: .anyone,
            help: "Port to listen on", default: "\(server.port)",
            longHelp: "Listens on this port; 0 selects a free port and prints it.",
            apply: { $0[MirrorServer.Options.self].port = UInt16(try $1.count(from: 0, to: 65535)) }),
        Flag(
            long: "host", value: "ADDRESS", commands: [.serve],
            help: "Address to listen on", default: server.host,
            longHelp: """
                Listens on this address of the machine, for example ::1. 0.0.0.0 stands for all IPv4 addresses, :: for \
                all IPv4 and IPv6 addresses. An address that other machines can reach requires --public.
                """,
            apply: { $0[MirrorServer.Options.self].host = try $1.singleLine("an address") }),
        Flag(
            long: "public", commands: [.serve],
            help: "Accept connections from other machines, under any host name",
            longHelp: """
                Allows a --host address that other machines can reach, and answers requests for any host name. There \
                is no password.
                """,
            apply: { $0[MirrorServer.Options.self].isPublic = $1.isOn }),
    ]

    private static let server = MirrorServer.Options()
}
