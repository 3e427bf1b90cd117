// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging

extension Flag {
    /// Limits for a single photo, and for memory.
    static let limits: [Flag] = [
        Flag(
            long: "max-bytes", value: "SIZE", commands: thumbnailCommands,
            help: "Reject larger files (default \(mirror.maxBytes >> 20)M; for thumbs \(thumbs.maxBytes >> 30)G)",
            longHelp: """
                Rejects files with more bytes: mirror aborts the transfer, and thumbs does not read the file. The \
                item fails with the cause too-large. k, M and G are multiples of 1024. The default is \
                \(mirror.maxBytes >> 20)M, and \(thumbs.maxBytes >> 30)G for thumbs.
                """,
            apply: { $0.decoding.maxBytes = try $1.bytes() }),
        Flag(
            long: "max-pixels", value: "N", commands: thumbnailCommands,
            help: "Make no thumbnails of photos with more pixels", default: "\(decode.pixels / 1_000_000)M",
            longHelp: """
                Does not decode photos whose header states more than N pixels. mirror keeps their originals without \
                thumbnails, with the cause too-many-pixels, and a later run with a larger N makes the thumbnails \
                without another download. thumbs, and mirror with --no-originals or --only-decodable, fail them before \
                memory is allocated. k, M and G stand for thousand, million and billion.
                """,
            apply: { $0.mirror.thumbnails.limits.pixels = try $1.largeNumber() }),
        Flag(
            long: "memory", value: "SIZE", commands: thumbnailCommands + [.work, .export], essential: [.work],
            help: "Memory for work in flight", default: shown(bytes: mirror.memory),
            longHelp: """
                Limits the memory for work in flight: decodes, estimated from the image headers, connection buffers, \
                and events that wait for a reader. Most photos need a few megabytes. A progressive JPEG needs 3 to 6 \
                bytes per pixel, a WebP 3 to 8, an interlaced PNG up to 4. A photo waits for its share in turn. A \
                photo that needs more than the limit gets no thumbnails, with the cause decode-limit. The memory of \
                the program itself is extra, so Sluice starts fewer decoders if the limit is small. k, M and G are multiples of \
                1024. The least is 16M.
                """,
            apply: { $0.mirror.memory = try $1.bytes(atLeast: 16 << 20) }),
        Flag(
            long: "decode-timeout", value: "TIME", commands: thumbnailCommands,
            help: "Time limit for one decode", default: shown(.seconds(decode.seconds)),
            longHelp: """
                Aborts a decode that takes longer; its item fails with the cause decode-limit. Times accept ms, s, m \
                and h (500ms, 30s, 5m); a plain number means seconds.
                """,
            apply: { $0.mirror.thumbnails.limits.seconds = try $1.duration() / .seconds(1) }),
        Flag(
            long: "isolate", undo: "no-isolate", commands: thumbnailCommands + [.work, .verify, .duplicates, .export],
            others: .anyCommandIf { $0.isOn },
            help: "Decode in sandboxed processes",
            longHelp: """
                Decodes in separate processes without access to files or the network, and with limits on memory and \
                time. A photo that crashes its decoder fails alone, with the cause decoder-crashed, and the run \
                continues. If no such process can be started, or the system cannot apply an essential protection, \
                the run stops with exit code 5. `sluice doctor` reports which protections this machine supports. \
                mirror, verify --deep and export --recode decode untrusted photos, so they use sandboxed processes \
                unless --no-isolate is given. \
                thumbs uses them only with --isolate, because they take more memory and longer to start, and for HEIC.
                """,
            apply: { $0.decoding.isolates = $1.isOn }),
        Flag(
            long: "weak-sandbox", commands: thumbnailCommands + [.verify, .export], isRare: true,
            help: "Decode even if the system cannot sandbox fully",
            longHelp: """
                Accepts sandboxed processes without a system call filter (seccomp) or without limits on memory and \
                files, for example in an emulator or on an old kernel. Photos are still decoded in separate processes. \
                A missing Landlock needs no option, because the filter denies the same calls.
                """,
            apply: { $0.decoding.acceptsWeakSandbox = $1.isOn }),
    ]

    /// Limits that stop a run before the end of its feed.
    static let stopConditions: [Flag] = [
        Flag(
            long: "max-time", value: "TIME", commands: [.mirror, .thumbs, .work], essential: [.work],
            help: "Stop the run after this time",
            longHelp: """
                Stops the run after this time, with exit code 8, or 75 for work. Photos in flight may finish \
                (--drain-timeout), and the next run continues. Times accept ms, s, m and h (500ms, 30s, 5m); a plain number means seconds.
                """,
            apply: { $0.mirror.limits.time = try $1.duration() }),
        Flag(
            long: "max-transfer", value: "SIZE", commands: [.mirror],
            help: "Stop the run after this many bytes",
            longHelp: """
                Stops the run, with exit code 8, after it received this many bytes of photos and of the bodies of \
                failures, at most 1M more. Downloads in flight are interrupted, and the next run resumes them where \
                the server permits. k, M and G are multiples of 1024.
                """,
            apply: { $0.mirror.limits.transfer = try $1.bytes() }),
        Flag(
            long: "max-fail", value: "N|N%", commands: [.mirror],
            help: "Stop the run when more photos fail than this",
            longHelp: """
                Stops the run, with exit code 4 and the likely reason, after more than N photos failed, or more than \
                N percent of the photos tried (at least 20). Without this option failures do not stop a run.
                """,
            apply: { $0.mirror.limits.failures = try $1.failureLimit() }),
        Flag(
            long: "drain-timeout", aliases: ["drain"], value: "TIME", commands: [.mirror, .thumbs],
            help: "Time allowed for in-flight photos after Ctrl-C", default: shown(run.drain),
            longHelp: """
                When Ctrl-C, SIGTERM or a limit stops the run, no new photo starts, and photos in flight have this \
                time to finish. Unfinished photos are then cancelled, and the next run processes them. none cancels \
                them at once. A second Ctrl-C ends the process immediately.
                """,
            apply: { $0.mirror.limits.drain = $1.text == "none" ? .zero : try $1.duration() }),
    ]

    private static let mirror = MirrorOptions()
    private static let thumbs = ThumbnailRunOptions()
    private static let decode = ImageLimits()
    private static let run = RunLimits()
}
