// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

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
