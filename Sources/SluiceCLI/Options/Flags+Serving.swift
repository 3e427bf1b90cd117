// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Options for the address of `serve`.
    static let serving: [Flag] = [
        Flag(
            "port", .value("N", \.server.port) { UInt16(try $0.count(from: 0, to: 65535)) }, [.serve], others: .anyone,
            default: "\(server.port)", "Port to listen on",
            "Listens on this port; 0 selects a free port and prints it."),
        Flag(
            "host", .text("ADDRESS", \.server.host, "an address"), [.serve], "Address to listen on",
            """
            Listens on this address of the machine, for example ::1. 0.0.0.0 stands for all IPv4 addresses, :: for all \
            IPv4 and IPv6 addresses. An address that other machines can reach requires --public.
            """),
        Flag(
            "public", .on(\.server.isPublic), [.serve], "Accept connections from other machines, under any host name",
            """
            Allows a --host address that other machines can reach, and answers requests for any host name. There is no \
            password.
            """),
    ]

    private static let server = MirrorServer.Options()
}
