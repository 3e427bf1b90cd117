// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

extension Flag {
    static let transfer: [Flag] = [
        Flag(
            long: "concurrency", short: "j", value: "N|auto", commands: [.mirror, .work],
            others: .anyoneUpTo(defaults.concurrency), essential: [.mirror, .work],
            help: "Maximum photos in flight", default: "\(defaults.concurrency)",
            longHelp: """
                Processes at most N photos concurrently, from 1 to 4096. With auto a run starts with \
                \(MirrorOptions.initialConcurrency) and searches, from 1 to \(MirrorOptions.maximumConcurrency), for \
                the number with the highest throughput; --per-host still applies.
                """,
            apply: {
                $0.mirror.adaptsConcurrency = $1.text == "auto"
                $0.mirror.concurrency = try $1.concurrency()
            }),
        Flag(
            long: "per-host", value: "N", commands: [.mirror], others: .anyoneUpTo(defaults.perHost),
            help: "Maximum concurrent transfers per host", default: "\(defaults.perHost)",
            longHelp: "Downloads at most N photos concurrently from one host, whatever --concurrency allows.",
            apply: { $0.mirror.perHost = try $1.count(from: 1, to: 4096) }),
        Flag(
            long: "timeout", value: "TIME", commands: [.mirror], others: .anyone,
            help: "Time limit for one transfer", default: shown(defaults.timeout),
            longHelp: """
                Aborts a transfer that takes longer, with the cause timeout. Times accept ms, s, m and h (500ms, 30s, \
                5m); a plain number means seconds.
                """,
            apply: { $0.mirror.timeout = try $1.duration() }),
        Flag(
            long: "retries", value: "N", commands: [.mirror], others: .anyone,
            help: "Retries after a temporary failure", default: "\(defaults.retries)",
            longHelp: """
                Repeats a transfer up to N times after a failure that may pass (a timeout, a lost connection, a server \
                error), with growing delays. Permanent failures (404) are not retried. 0 disables retries.
                """,
            apply: { $0.mirror.retries = try $1.count(from: 0, to: 100) }),
        Flag(
            long: "user-agent", value: "TEXT", commands: [.mirror], others: .anyCommand,
            help: "User-Agent header (default: Sluice and its version)",
            longHelp: "Sends TEXT as the User-Agent header. By default Sluice sends its own name and version.",
            apply: { $0.mirror.userAgent = try $1.singleLine() }),
        Flag(
            long: "contact", value: "TEXT", commands: [.mirror], others: .anyCommand,
            help: "Email or URL for hosts, added to the User-Agent",
            longHelp: """
                Adds TEXT to the User-Agent header, so that the operator of a host can contact you instead of \
                blocking you. Wikimedia requests this. With --user-agent it is not added.
                """,
            apply: { $0.mirror.contact = try $1.singleLine() }),
        Flag(
            long: "header", value: "'K: V'", commands: [.mirror, .adopt], isRecorded: false, isRepeatable: true,
            isSecret: true,
            help: "Send this header to the feed's host; repeatable",
            longHelp: """
                Adds a request header for the feed's own origin (scheme, host and port): its pages and the photos there. \
                No other host gets it, also after a redirect. If the SOURCEs have several hosts, write the host first: 'example.org: Name: value'. Repeatable.
                """,
            apply: { $0.mirror.headers.append(try $1.header()) }),
        Flag(
            long: "cookies", value: .file, commands: [.mirror, .adopt, .work, .verify, .recheck, .drift],
            isRecorded: false,
            help: "Send the cookies in FILE, for photos behind a login",
            longHelp: """
                Sends the cookies of a browser, with which you are logged in. FILE has the format of Netscape, which \
                extensions of browsers, curl, wget and yt-dlp write, or it is a JSON export. Each cookie goes only to \
                its own host and by the rules of browsers: not to other sites' photos, and never without HTTPS. \
                Nothing that Sluice writes has them. Cookies that hosts set are kept until the run ends. If the login \
                ends, the run stops, and the next one continues.
                """,
            apply: { $0.mirror.cookieFile = try $1.singleLine("a file name") }),
        Flag(
            long: "cookies-from-browser", value: ValuePlaceholder("BROWSER", .words(MirrorOptions.cookieBrowsers)),
            commands: [.mirror, .adopt, .work, .verify, .recheck, .drift], isRecorded: false,
            help: "Send the cookies of firefox, chromium, chrome or brave",
            longHelp: """
                Reads the cookies of a browser of this user, as --cookies does for a file: only those of hosts that \
                the run asks, when it asks them. BROWSER is \(MirrorOptions.cookieBrowsers.joined(separator: ", ")), \
                or NAME:PROFILE with the name or the folder of a profile; otherwise the profile used last counts. \
                Cookies whose key is in the desktop's keyring cannot be read; export them to a file.
                """,
            apply: { $0.mirror.cookieBrowser = try $1.singleLine("a browser") }),
    ]

    private static let defaults = MirrorOptions()
}
