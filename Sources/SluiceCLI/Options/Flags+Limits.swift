// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging

extension Flag {
    /// Limits for a single photo, and for memory.
    static let limits: [Flag] = [
        Flag(
            "max-bytes", .bytes(\.decoding.maxBytes), thumbnailCommands,
            "Reject larger files (default \(mirror.maxBytes >> 20)M; for thumbs \(thumbs.maxBytes >> 30)G)",
            """
            Rejects files with more bytes: mirror aborts the transfer, and thumbs does not read the file. The item \
            fails with the cause too-large. k, M and G are multiples of 1024. The default is \
            \(mirror.maxBytes >> 20)M, and \(thumbs.maxBytes >> 30)G for thumbs.
            """),
        Flag(
            "max-pixels", .value("N", \.mirror.thumbnails.limits.pixels) { try $0.largeNumber() }, thumbnailCommands,
            default: "\(decode.pixels / 1_000_000)M", "Make no thumbnails of photos with more pixels",
            """
            Does not decode photos whose header states more than N pixels. mirror keeps their originals without \
            thumbnails, with the cause too-many-pixels, and a later run with a larger N makes the thumbnails without \
            another download. thumbs, and mirror with --no-originals or --only-decodable, fail them before memory is \
            allocated. k, M and G stand for thousand, million and billion.
            """),
        Flag(
            "memory", .bytes(\.mirror.memory, atLeast: 16 << 20), thumbnailCommands + [.work, .export],
            essential: [.work], "Memory for work in flight",
            """
            Limits the memory for work in flight: decodes, estimated from the image headers, connection buffers, and \
            events that wait for a reader. Most photos need a few megabytes. A progressive JPEG needs 3 to 6 bytes per \
            pixel, a WebP 3 to 8, an interlaced PNG up to 4. A photo waits for its share in turn. A photo that needs \
            more than the limit gets no thumbnails, with the cause decode-limit. The memory of the program itself is \
            extra, so Sluice starts fewer decoders if the limit is small. k, M and G are multiples of 1024. The least \
            is 16M.
            """),
        Flag(
            "decode-timeout", .value("TIME", \.mirror.thumbnails.limits.seconds) { try $0.duration() / .seconds(1) },
            thumbnailCommands, default: shown(.seconds(decode.seconds)), "Time limit for one decode",
            """
            Aborts a decode that takes longer; its item fails with the cause decode-limit. Times accept ms, s, m and h \
            (500ms, 30s, 5m); a plain number means seconds.
            """),
        Flag(
            "isolate", .on(\.decoding.isolates), undo: "no-isolate",
            thumbnailCommands + [.work, .verify, .duplicates, .export], others: .anyCommandIf { $0.isOn },
            "Decode in sandboxed processes",
            """
            Decodes in separate processes without access to files or the network, and with limits on memory and time. \
            A photo that crashes its decoder fails alone, with the cause decoder-crashed, and the run continues. If no \
            such process can be started, or the system cannot apply an essential protection, the run stops with exit \
            code 5. `sluice doctor` reports which protections this machine supports. mirror, verify --deep and export \
            --recode decode untrusted photos, so they use sandboxed processes unless --no-isolate is given. thumbs \
            uses them only with --isolate, because they take more memory and longer to start, and for HEIC.
            """),
        Flag(
            "weak-sandbox", .on(\.decoding.acceptsWeakSandbox), thumbnailCommands + [.verify, .export], isRare: true,
            "Decode even if the system cannot sandbox fully",
            """
            Accepts sandboxed processes without a system call filter (seccomp) or without limits on memory and files, \
            for example in an emulator or on an old kernel. Photos are still decoded in separate processes. A missing \
            Landlock needs no option, because the filter denies the same calls.
            """),
    ]

    /// Limits that stop a run before the end of its feed.
    static let stopConditions: [Flag] = [
        Flag(
            "max-time", .time(\.mirror.limits.time), [.mirror, .thumbs, .work], essential: [.work],
            "Stop the run after this time",
            """
            Stops the run after this time, with exit code 8, or 75 for work. Photos in flight may finish \
            (--drain-timeout), and the next run continues. Times accept ms, s, m and h (500ms, 30s, 5m); a plain \
            number means seconds.
            """),
        Flag(
            "max-transfer", .bytes(\.mirror.limits.transfer), [.mirror], "Stop the run after this many bytes",
            """
            Stops the run, with exit code 8, after it received this many bytes of photos and of the bodies of \
            failures, at most 1M more. Downloads in flight are interrupted, and the next run resumes them where the \
            server permits. k, M and G are multiples of 1024.
            """),
        Flag(
            "max-fail", .value("N|N%", \.mirror.limits.failures) { try $0.failureLimit() }, [.mirror],
            "Stop the run when more photos fail than this",
            """
            Stops the run, with exit code 4 and the likely reason, after more than N photos failed, or more than N \
            percent of the photos tried (at least 20). Without this option failures do not stop a run.
            """),
        Flag(
            "drain-timeout", aliases: ["drain"],
            .value("TIME", \.mirror.limits.drain) { $0.text == "none" ? .zero : try $0.duration() },
            [.mirror, .thumbs],
            default: shown(run.drain), "Time allowed for in-flight photos after Ctrl-C",
            """
            When Ctrl-C, SIGTERM or a limit stops the run, no new photo starts, and photos in flight have this time to \
            finish. Unfinished photos are then cancelled, and the next run processes them. none cancels them at once. \
            A second Ctrl-C ends the process immediately.
            """),
    ]

    private static let mirror = MirrorOptions()
    private static let thumbs = ThumbnailRunOptions()
    private static let decode = ImageLimits()
    private static let run = RunLimits()
}
