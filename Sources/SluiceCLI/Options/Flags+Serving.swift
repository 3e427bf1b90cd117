// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Where a mirror is served.
    static let serving: [Flag] = [
        Flag(
            long: "port", value: Placeholder("N"), category: .serving, commands: [.serve],
            help: "The port to listen on (default \(server.port))",
            longHelp: "Listens on this port; 0 takes a free one, which is told. The default is \(server.port).",
            apply: { (options, argument) throws(Refusal) in
                options.serving.port = UInt16(try argument.count(from: 0, to: 65535))
            }),
        Flag(
            long: "host", value: Placeholder("ADDRESS"), category: .serving, commands: [.serve],
            help: "The address to listen on (default \(server.host))",
            longHelp: """
                Listens on this address of the machine, such as ::1; 0.0.0.0 is all of IPv4, :: all of both. One that \
                other machines reach takes --public. The default is \(server.host).
                """,
            apply: { (options, argument) throws(Refusal) in options.serving.host = try argument.line("an address") }),
        Flag(
            long: "public", category: .serving, commands: [.serve],
            help: "Let other machines in, and any name for this one",
            longHelp: """
                Lets --host be an address that other machines reach, and answers whatever name they know this one by. There \
                is no password.
                """,
            apply: { (options, argument) throws(Refusal) in options.serving.isPublic = argument.isOn }),
    ]

    private static let server = MirrorServer.Options()
}
