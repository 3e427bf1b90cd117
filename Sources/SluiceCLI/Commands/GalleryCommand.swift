// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let gallery = Command(
        name: .gallery,
        summary: "Rebuild the gallery and manifest of a mirror",
        about: [
            """
            Rewrites the gallery and the manifest of the mirror in DIR from its ledger. Nothing is downloaded. Later \
            runs keep the appearance that is set here.
            """,
            """
            With --rebuild, first rebuilds the ledger from manifest.jsonl and the files. The old ledger is kept. An \
            intact ledger is rebuilt only with --force, because it knows more than the manifest.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice gallery demo-mirror", meaning: "rewrite demo-mirror/index.html"),
            Example(
                line: "sluice gallery demo-mirror --title Lakes --theme dark",
                meaning: "set the heading and dark colours"),
        ],
        run: { options, console in
            let folder = options.positionals[0]
            let look = try options.galleryAppearance()
            let report =
                try options.gallery.isRebuild
                ? PhotoMirror.rebuildLedger(
                    folder, appearance: look, withParquet: options.mirror.writesParquet,
                    isForced: options.mirror.allowsUntrustedFolder)
                : PhotoMirror.rebuild(
                    folder, appearance: look, withParquet: options.mirror.writesParquet,
                    buckets: options.mirror.buckets)
            if !options.output.isQuiet {
                let failed = report.failed > 0 ? ", \(report.failed) of them failed" : ""
                let lost =
                    report.lost > 0
                    ? ", \(report.lost) do not match the manifest; run mirror again to repair them" : ""
                console.printMessage(
                    "\(counted(report.items, "photo"))\(failed)\(lost); gallery: \(galleryPath(in: folder))")
            }
            return .done
        })
}

/// Returns the path of the gallery of a mirror, escaped for a terminal.
func galleryPath(in folder: String) -> String {
    escaped(folder.hasSuffix("/") ? "\(folder)index.html" : "\(folder)/index.html")
}

extension Command {
    static let serve = Command(
        name: .serve,
        summary: "Serve a mirror's gallery over HTTP",
        about: [
            """
            Serves the mirror in DIR to browsers on this machine until Ctrl-C: the gallery, the photos and the \
            manifest, but no file whose name starts with a dot. While a run adds photos to the mirror, they appear \
            in an open gallery.
            """,
            """
            The mirror has an address of its own, such as http://0123456789abcdef.localhost:8000/, so that pages of \
            different mirrors cannot reach each other. A browser that opens http://127.0.0.1:8000/ is sent there.
            """,
            """
            Only --public allows access from other machines. There is no password: everyone who can connect to the \
            port sees the whole mirror.
            """,
            """
            With --edit, the gallery at the printed address can rate, reject, tag and caption photos; '?' shows the \
            keys. A rejected photo leaves the gallery and exports, and no run downloads it again. \
            `sluice mirror --prune` also removes its files.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice serve demo-mirror", meaning: "serve it at http://127.0.0.1:8000/"),
            Example(line: "sluice serve demo-mirror --edit", meaning: "choose the best photos in the browser"),
            Example(
                line: "sluice serve demo-mirror --public --host 0.0.0.0", meaning: "serve it to the whole network"
            ),
        ],
        run: { options, console in
            let server = try MirrorServer(
                options.positionals[0], options: options.server, buckets: options.mirror.buckets,
                log: { console.printMessage(escaped($0)) })
            console.printMessage(
                "serving \(escaped(options.positionals[0])) at \(server.address); press Ctrl-C to stop")
            await waitForSignal()
            server.stop()
            return .done
        })
}

/// Waits for a signal, the normal end of a server.
private func waitForSignal() async {
    let handler = Locked<SignalHandler?>(nil)
    await withCheckedContinuation { continuation in
        handler.withLock { $0 = SignalHandler(onFirst: { _ in continuation.resume() }, beforeExit: {}) }
    }
    handler.withLock { $0 }?.stop()
}
