// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

extension Flag {
    static let transfer: [Flag] = [
        Flag(
            "concurrency", short: "j",
            .custom("N|auto") {
                $0.mirror.adaptsConcurrency = $1.text == "auto"
                $0.mirror.concurrency = try $1.concurrency()
            }, [.mirror, .work], others: .anyoneUpTo(defaults.concurrency), essential: [.mirror, .work],
            default: "\(defaults.concurrency)", "Maximum photos in flight",
            """
            Processes at most N photos concurrently, from 1 to 4096. With auto a run starts with \
            \(MirrorOptions.initialConcurrency) and searches, from 1 to \(MirrorOptions.maximumConcurrency), for the \
            number with the highest throughput; --per-host still applies.
            """),
        Flag(
            "per-host", .count(\.mirror.perHost, from: 1, to: 4096), [.mirror], others: .anyoneUpTo(defaults.perHost),
            "Maximum concurrent transfers per host",
            "Downloads at most N photos concurrently from one host, whatever --concurrency allows."),
        Flag(
            "timeout", .time(\.mirror.timeout), [.mirror], others: .anyone, "Time limit for one transfer",
            """
            Aborts a transfer that takes longer, with the cause timeout. Times accept ms, s, m and h (500ms, 30s, 5m); \
            a plain number means seconds.
            """),
        Flag(
            "retries", .count(\.mirror.retries, from: 0, to: 100), [.mirror], others: .anyone,
            "Retries after a temporary failure",
            """
            Repeats a transfer up to N times after a failure that may pass (a timeout, a lost connection, a server \
            error), with growing delays. Permanent failures (404) are not retried. 0 disables retries.
            """),
        Flag(
            "user-agent", .text("TEXT", \.mirror.userAgent), [.mirror], others: .anyCommand,
            "User-Agent header (default: Sluice and its version)",
            "Sends TEXT as the User-Agent header. By default Sluice sends its own name and version."),
        Flag(
            "contact", .text("TEXT", \.mirror.contact), [.mirror], others: .anyCommand,
            "Email or URL for hosts, added to the User-Agent",
            """
            Adds TEXT to the User-Agent header, so that the operator of a host can contact you instead of blocking \
            you. Wikimedia requests this. With --user-agent it is not added.
            """),
        Flag(
            "header", .list("'K: V'", \.mirror.headers) { try $0.header() }, [.mirror, .adopt], isRecorded: false,
            isSecret: true, "Send this header to the feed's host; repeatable",
            """
            Adds a request header for the feed's own origin (scheme, host and port): its pages and the photos there. \
            No other host gets it, also after a redirect. If the SOURCEs have several hosts, write the host first: \
            'example.org: Name: value'. Repeatable.
            """),
        Flag(
            "cookies", .file(\.mirror.cookieFile), [.mirror, .adopt, .work, .verify, .recheck, .drift],
            isRecorded: false, "Send the cookies in FILE, for photos behind a login",
            """
            Sends the cookies of a browser, with which you are logged in. FILE has the format of Netscape, which \
            extensions of browsers, curl, wget and yt-dlp write, or it is a JSON export. Each cookie goes only to its \
            own host and by the rules of browsers: not to other sites' photos, and never without HTTPS. Nothing that \
            Sluice writes has them. Cookies that hosts set are kept until the run ends. If the login ends, the run \
            stops, and the next one continues.
            """),
        Flag(
            "cookies-from-browser",
            .text(
                ValuePlaceholder("BROWSER", .words(MirrorOptions.cookieBrowsers)), \.mirror.cookieBrowser, "a browser"),
            [.mirror, .adopt, .work, .verify, .recheck, .drift], isRecorded: false,
            "Send the cookies of firefox, chromium, chrome or brave",
            """
            Reads the cookies of a browser of this user, as --cookies does for a file: only those of hosts that the \
            run asks, when it asks them. BROWSER is \(MirrorOptions.cookieBrowsers.joined(separator: ", ")), or \
            NAME:PROFILE with the name or the folder of a profile; otherwise the profile used last counts. Cookies \
            whose key is in the desktop's keyring cannot be read; export them to a file.
            """),
        Flag(
            "browser", .text(ValuePlaceholder("PATH", .file), \.mirror.browser, "a program"),
            implied: MirrorOptions.anyBrowser, [.mirror], isRecorded: false,
            "Build web pages with their scripts in a browser",
            """
            Opens a web page in the installed Chromium, Chrome, Edge or Brave, or in the browser at PATH. It scrolls \
            down, presses buttons such as "Load more", and takes the photos as they appear. The browser has no \
            network: Sluice sends the requests of the page, by its own rules and limits, and downloads each photo \
            once. The browser's profile is new, and removed at the end.
            """),
        Flag(
            "browser-profile", .text(ValuePlaceholder("DIR", .folder), \.mirror.browserProfile, "a folder"), [.mirror],
            isRecorded: false, "Use the browser profile in DIR, for pages behind a login",
            """
            Gives the browser of --browser the profile in DIR, which it may change, instead of a new one. To log in, \
            start the browser yourself with --user-data-dir=DIR before. Do not use the profile with which you browse. \
            The photos of the page are requested with the cookies of the profile.
            """),
    ]

    private static let defaults = MirrorOptions()
}
