// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Whom a run may ask, by which way, and for how long.
    static let network: [Flag] = deadlines + manners + ways + permissions

    private static let deadlines: [Flag] = [
        Flag(
            long: "connect-timeout", value: Placeholder("TIME"), category: .network, commands: [.mirror],
            help: "Longest time to reach a host (default \(seconds(defaults.connectTimeout)))",
            longHelp: """
                Gives a host up that cannot be looked up, or connected to, in that time. The default is \
                \(seconds(defaults.connectTimeout)).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.connectTimeout = try argument.duration()
            }),
        Flag(
            long: "first-byte-timeout", value: Placeholder("TIME"), category: .network, commands: [.mirror],
            help: "Longest silence before a reply (default \(seconds(defaults.firstByteTimeout)))",
            longHelp: """
                Ends a transfer, with the cause timeout, if no byte of a reply has come in that time. The default is \
                \(seconds(defaults.firstByteTimeout)).
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.firstByteTimeout = try argument.duration()
            }),
        Flag(
            long: "least-speed", value: Placeholder("SIZE"), category: .network, commands: [.mirror],
            help: "Give up slower transfers (default 1k a second)",
            longHelp: """
                Ends a transfer, with the cause timeout, that brings fewer bytes a second for 20 seconds. The default is \
                1k; none lets transfers be as slow as they like, within --timeout.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.leastSpeed = argument.text == "none" ? 0 : try argument.bytes()
            }),
    ]

    private static let ways: [Flag] = [
        Flag(
            long: "http", value: .choice(of: HTTPVersion.self), category: .network, commands: [.mirror],
            help: "The version of HTTP (default auto)",
            longHelp: """
                auto speaks HTTP/2, with many transfers on one connection, where a host offers it with TLS, and HTTP/1.1 \
                elsewhere; 1.1 speaks nothing else; 2 speaks HTTP/2 without TLS even unasked.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.http = try argument.choice(of: HTTPVersion.self)
            }),
        Flag(
            long: "proxy", value: Placeholder("URL"), category: .network, commands: [.mirror],
            help: "Go through this proxy, or none",
            longHelp: """
                Goes through a proxy (http://, https://, socks5h://, ...), to all hosts but those of no_proxy. Without it \
                the environment decides (http_proxy, https_proxy, all_proxy, no_proxy); none takes no notice of it. \
                Whom a proxy connects to is not checked here.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.proxy = try argument.line("a proxy's address")
            }),
        Flag(
            long: "resolve", value: Placeholder("HOST:PORT:ADDRESS"), category: .network, commands: [.mirror],
            isRepeatable: true,
            help: "Where a host is; may be repeated",
            longHelp: """
                Takes the host to be at that address, and asks no name server for it. An address that is refused \
                elsewhere is refused here too. May be given more than once.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.resolved.append(try argument.line("HOST:PORT:ADDRESS"))
            }),
        Flag(
            long: "dns-server", value: Placeholder("ADDRESS"), category: .network, commands: [.mirror],
            isRepeatable: true,
            help: "Ask this name server; may be repeated",
            longHelp: """
                Asks these name servers in place of the system's. It needs a libcurl that was built with c-ares, and says \
                so where it is not.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.nameServers.append(try argument.line("a name server's address"))
            }),
    ]

    private static let permissions: [Flag] = [
        Flag(
            long: "allow-private", category: .network, commands: [.mirror],
            help: "Connect to private addresses too",
            longHelp: """
                Lets photos come from private, loopback and other special addresses. Without it a link that leads there is \
                refused: a stranger's list must not reach into your own network.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.network.allowsPrivate = argument.isOn }),
        Flag(
            long: "allow-address", value: Placeholder("RANGE"), category: .network, commands: [.mirror],
            isRepeatable: true,
            help: "Connect to these addresses too; may be repeated",
            longHelp: """
                Lets photos come from one special address or a range of them, such as 192.168.1.0/24. May be given more \
                than once.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.allowedAddresses.append(try argument.line("an address or a range"))
            }),
        Flag(
            long: "allow-port", value: Placeholder("N"), category: .network, commands: [.mirror],
            isRepeatable: true,
            help: "Connect to this port too; may be repeated",
            longHelp: """
                Lets photos come from that port. Without it only 80 and 443 are connected to, and no service that speaks \
                something else can be led to misread a request. May be given more than once.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.allowedPorts.append(try argument.count(from: 1, to: 65535))
            }),
        Flag(
            long: "ca-file", value: Placeholder("FILE", .file), category: .network, commands: [.mirror],
            help: "Trust the certificates in this file alone",
            longHelp: """
                Trusts hosts whose certificates come from the authorities in FILE (PEM), in place of the system's. There is \
                no option to trust a host whose certificate is wrong.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.network.certificates = try argument.line("a file's name")
            }),
        Flag(
            long: "netrc", category: .network, commands: [.mirror],
            help: "Take passwords from ~/.netrc",
            longHelp: "Looks up the name and the password of each host in ~/.netrc. Without it the file is not read.",
            apply: { (options, argument) throws(Refusal) in options.mirror.network.readsNetrc = argument.isOn }),
    ]

    private static let defaults = NetworkOptions()

    private static func seconds(_ time: Duration) -> String { "\(time.components.seconds)s" }
}
