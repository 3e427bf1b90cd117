// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Flag {
    /// Options for connections, rate limits and permitted hosts.
    static let network: [Flag] = deadlines + politeness + connections + permissions

    private static let deadlines: [Flag] = [
        Flag(
            long: "connect-timeout", value: "TIME", commands: [.mirror], others: .anyone,
            help: "Time limit to connect to a host", default: shown(defaults.connectTimeout),
            longHelp: "Gives up on a host if its name is not resolved, or no connection succeeds, within this time.",
            apply: { $0.mirror.network.connectTimeout = try $1.duration() }),
        Flag(
            long: "first-byte-timeout", value: "TIME", commands: [.mirror], others: .anyone,
            help: "Time limit for a reply to start", default: shown(defaults.firstByteTimeout),
            longHelp: "Aborts a transfer, with the cause timeout, if no byte of a reply arrives within this time.",
            apply: { $0.mirror.network.firstByteTimeout = try $1.duration() }),
        Flag(
            long: "min-speed", aliases: ["least-speed"], value: "SIZE", commands: [.mirror], others: .anyone,
            help: "Minimum bytes per second of a transfer", default: shown(bytes: defaults.minimumSpeed),
            longHelp: """
                Aborts a transfer, with the cause timeout, that stays below this many bytes per second for 20 \
                seconds. none disables this check, and only --timeout applies.
                """,
            apply: { $0.mirror.network.minimumSpeed = $1.text == "none" ? 0 : try $1.bytes() }),
    ]

    private static let politeness: [Flag] = [
        Flag(
            long: "rate", value: "N/s", commands: [.mirror], others: .anyone,
            help: "Request limit per host, e.g. 5/s",
            longHelp: """
                Limits the request rate for each host, at even intervals: 5/s, 90/m, 1000/h. Without this option \
                only --per-host and the limits that hosts announce apply.
                """,
            apply: { $0.mirror.network.rate = try $1.rate() }),
        Flag(
            long: "bandwidth", value: "SIZE", commands: [.mirror], others: .anyone,
            help: "Total bandwidth limit per second, e.g. 25M",
            longHelp: """
                Limits the bytes per second of all transfers together, for example 25M or 500k. k, M and G \
                are multiples of 1000, as in the rates that Sluice shows. Without this option the bandwidth is not \
                limited.
                """,
            apply: { $0.mirror.network.bandwidth = try $1.largeNumber() }),
        Flag(
            long: "robots", undo: "no-robots", commands: [.mirror],
            help: "Obey the robots.txt of each host",
            longHelp: """
                Reads the robots.txt of each host once, and skips photos that it excludes, with the cause opted-out. \
                By default this applies only to feeds that list other people's pages. Requests to a service's own \
                API ignore robots.txt in either case.
                """,
            apply: { $0.mirror.network.respectsRobotsTxt = $1.isOn }),
        Flag(
            long: "ignore-opt-out", undo: "no-ignore-opt-out", commands: [.mirror],
            help: "Download photos marked noai or noimageindex",
            longHelp: """
                Downloads photos that their host excludes from collections with an X-Robots-Tag of noai, noimageai, \
                noimageindex or a past unavailable_after. By default such photos are skipped, with the cause \
                opted-out.
                """,
            apply: { $0.mirror.network.respectsOptOut = !$1.isOn }),
    ]

    private static let connections: [Flag] = [
        Flag(
            long: "http", value: .choice(of: HTTPVersion.self), commands: [.mirror], others: .anyone,
            help: "HTTP version", default: defaults.http.rawValue,
            longHelp: """
                auto uses HTTP/2, with many transfers on one connection, if a host offers it over TLS, and HTTP/1.1 \
                otherwise; 1.1 uses only HTTP/1.1; 2 uses HTTP/2 without negotiation, even without TLS.
                """,
            apply: { $0.mirror.network.http = try $1.choice(of: HTTPVersion.self) }),
        Flag(
            long: "proxy", value: "URL", commands: [.mirror],
            help: "Proxy URL, or env, or none", default: "none",
            longHelp: """
                Connects through a proxy (http://, https://, socks5h://, ...), except to the hosts in no_proxy. env \
                reads the proxy from http_proxy, https_proxy and all_proxy. By default Sluice uses no proxy, because \
                it cannot check the addresses that a proxy connects to.
                """,
            apply: { $0.mirror.network.proxy = try $1.singleLine("a proxy URL") }),
        Flag(
            long: "resolve", value: "HOST:PORT:ADDRESS", commands: [.mirror], isRepeatable: true, isRare: true,
            help: "Use this address for a host; repeatable",
            longHelp: """
                Uses this address for the host instead of a DNS lookup. An address that is refused elsewhere is \
                refused here too. Repeatable.
                """,
            apply: { $0.mirror.network.resolved.append(try $1.singleLine("HOST:PORT:ADDRESS")) }),
        Flag(
            long: "dns-server", value: "ADDRESS", commands: [.mirror], isRepeatable: true, isRare: true,
            help: "Use this DNS server; repeatable",
            longHelp: """
                Uses these DNS servers instead of the system's. This needs a libcurl that was built with c-ares; \
                otherwise Sluice reports an error. Repeatable.
                """,
            apply: { $0.mirror.network.nameServers.append(try $1.singleLine("a DNS server address")) }),
    ]

    private static let permissions: [Flag] = [
        Flag(
            long: "allow-private", commands: [.mirror],
            help: "Allow connections to private addresses",
            longHelp: """
                Allows downloads from private, loopback and other special addresses. By default links to them are \
                refused, because an untrusted list must not reach into your own network.
                """,
            apply: { $0.mirror.network.allowsPrivate = $1.isOn }),
        Flag(
            long: "allow-address", value: "RANGE", commands: [.mirror], isRepeatable: true,
            help: "Allow this address or range; repeatable",
            longHelp: """
                Allows downloads from one special address or a range of them, for example 192.168.1.0/24. \
                Repeatable.
                """,
            apply: { $0.mirror.network.allowedAddresses.append(try $1.singleLine("an address or an address range")) }),
        Flag(
            long: "allow-port", value: "N", commands: [.mirror], isRepeatable: true,
            help: "Allow this port; repeatable", default: "80, 443",
            longHelp: """
                Allows downloads from this port. By default only ports 80 and 443 are allowed, so that no request \
                can reach a service that speaks another protocol. Repeatable.
                """,
            apply: { $0.mirror.network.allowedPorts.append(try $1.count(from: 1, to: 65535)) }),
        Flag(
            long: "ca-file", value: .file, commands: [.mirror],
            help: "Trust only the certificates in FILE",
            longHelp: """
                Trusts only hosts whose certificates come from the authorities in FILE (PEM), instead of the \
                system's. No option disables the check of certificates.
                """,
            apply: { $0.mirror.network.certificates = try $1.singleLine("a file name") }),
        Flag(
            long: "netrc", commands: [.mirror],
            help: "Read passwords from ~/.netrc",
            longHelp: """
                Looks up the user name and password of each host in ~/.netrc. A host's password is sent to one origin \
                (scheme, host and port): that of SOURCE, or else the first that is requested. By default the file is \
                not read.
                """,
            apply: { $0.mirror.network.readsNetrc = $1.isOn }),
    ]

    private static let defaults = NetworkOptions()
}
