// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Flag {
    /// Options for connections, rate limits and permitted hosts.
    static let network: [Flag] = deadlines + politeness + connections + permissions

    private static let deadlines: [Flag] = [
        Flag(
            "connect-timeout", .time(\.mirror.network.connectTimeout), [.mirror], others: .anyone,
            "Time limit to connect to a host",
            "Gives up on a host if its name is not resolved, or no connection succeeds, within this time."),
        Flag(
            "first-byte-timeout", .time(\.mirror.network.firstByteTimeout), [.mirror], others: .anyone,
            "Time limit for a reply to start",
            "Aborts a transfer, with the cause timeout, if no byte of a reply arrives within this time."),
        Flag(
            "min-speed", aliases: ["least-speed"],
            .value("SIZE", \.mirror.network.minimumSpeed) { $0.text == "none" ? 0 : try $0.bytes() }, [.mirror],
            others: .anyone, default: shown(bytes: defaults.minimumSpeed), "Minimum bytes per second of a transfer",
            """
            Aborts a transfer, with the cause timeout, that stays below this many bytes per second for 20 seconds. \
            none disables this check, and only --timeout applies.
            """),
    ]

    private static let politeness: [Flag] = [
        Flag(
            "rate", .value("N/s", \.mirror.network.rate) { try $0.rate() }, [.mirror], others: .anyone,
            "Request limit per host, e.g. 5/s",
            """
            Limits the request rate for each host, at even intervals: 5/s, 90/m, 1000/h. Without this option only \
            --per-host and the limits that hosts announce apply.
            """),
        Flag(
            "bandwidth", .value("SIZE", \.mirror.network.bandwidth) { try $0.largeNumber() }, [.mirror],
            others: .anyone, "Total bandwidth limit per second, e.g. 25M",
            """
            Limits the bytes per second of all transfers together, for example 25M or 500k. k, M and G are multiples \
            of 1000, as in the rates that Sluice shows. Without this option the bandwidth is not limited.
            """),
        Flag(
            "robots", .on(\.mirror.network.respectsRobotsTxt), undo: "no-robots", [.mirror],
            "Obey the robots.txt of each host",
            """
            Reads the robots.txt of each host once, and skips photos that it excludes, with the cause opted-out. By \
            default this applies only to feeds that list other people's pages. Requests to a service's own API ignore \
            robots.txt in either case.
            """),
        Flag(
            "ignore-opt-out", .off(\.mirror.network.respectsOptOut), undo: "no-ignore-opt-out", [.mirror],
            "Download photos marked noai or noimageindex",
            """
            Downloads photos that their host excludes from collections with an X-Robots-Tag of noai, noimageai, \
            noimageindex or a past unavailable_after. By default such photos are skipped, with the cause opted-out. \
            The photos of linked web pages that say so, or noindex, are taken, and their links followed; those of a \
            page that SOURCE names are taken in either case, and `export` leaves them out.
            """),
    ]

    private static let connections: [Flag] = [
        Flag(
            "http", .choice(\.mirror.network.http), [.mirror], others: .anyone, "HTTP version",
            """
            auto uses HTTP/2, with many transfers on one connection, if a host offers it over TLS, and HTTP/1.1 \
            otherwise; 1.1 uses only HTTP/1.1; 2 uses HTTP/2 without negotiation, even without TLS.
            """),
        Flag(
            "proxy", .text("URL", \.mirror.network.proxy, "a proxy URL"), [.mirror], default: "none",
            "Proxy URL, or env, or none",
            """
            Connects through a proxy (http://, https://, socks5h://, ...), except to the hosts in no_proxy. env reads \
            the proxy from http_proxy, https_proxy and all_proxy. By default Sluice uses no proxy, because it cannot \
            check the addresses that a proxy connects to.
            """),
        Flag(
            "resolve", .list("HOST:PORT:ADDRESS", \.mirror.network.resolved) { try $0.singleLine("HOST:PORT:ADDRESS") },
            [.mirror], isRare: true, "Use this address for a host; repeatable",
            """
            Uses this address for the host instead of a DNS lookup. An address that is refused elsewhere is refused \
            here too. Repeatable.
            """),
        Flag(
            "dns-server", .list("ADDRESS", \.mirror.network.nameServers) { try $0.singleLine("a DNS server address") },
            [.mirror], isRare: true, "Use this DNS server; repeatable",
            """
            Uses these DNS servers instead of the system's. This needs a libcurl that was built with c-ares; otherwise \
            Sluice reports an error. Repeatable.
            """),
    ]

    private static let permissions: [Flag] = [
        Flag(
            "allow-private", .on(\.mirror.network.allowsPrivate), [.mirror], "Allow connections to private addresses",
            """
            Allows downloads from private, loopback and other special addresses. By default links to them are refused, \
            because an untrusted list must not reach into your own network.
            """),
        Flag(
            "allow-address",
            .list("RANGE", \.mirror.network.allowedAddresses) { try $0.singleLine("an address or an address range") },
            [.mirror], "Allow this address or range; repeatable",
            "Allows downloads from one special address or a range of them, for example 192.168.1.0/24. Repeatable."),
        Flag(
            "allow-port", .list("N", \.mirror.network.allowedPorts) { try $0.count(from: 1, to: 65535) }, [.mirror],
            default: "80, 443", "Allow this port; repeatable",
            """
            Allows downloads from this port. By default only ports 80 and 443 are allowed, so that no request can \
            reach a service that speaks another protocol. Repeatable.
            """),
        Flag(
            "ca-file", .file(\.mirror.network.certificates), [.mirror], "Trust only the certificates in FILE",
            """
            Trusts only hosts whose certificates come from the authorities in FILE (PEM), instead of the system's. No \
            option disables the check of certificates.
            """),
        Flag(
            "netrc", .on(\.mirror.network.readsNetrc), [.mirror], "Read passwords from ~/.netrc",
            """
            Looks up the user name and password of each host in ~/.netrc. A host's password is sent to one origin \
            (scheme, host and port): that of SOURCE, or else the first that is requested. By default the file is not \
            read.
            """),
    ]

    private static let defaults = NetworkOptions()
}
