// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let gallery = Command(
        name: .gallery,
        summary: "Write a mirror's gallery and manifest anew",
        about: [
            """
            Writes the gallery and the manifest of the mirror in DIR anew, from its ledger. Nothing is downloaded. The look \
            that is asked for is remembered.
            """,
            "With --rebuild the ledger itself is made anew first, from manifest.jsonl and the files; the old one is kept.",
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(line: "sluice gallery demo-mirror", meaning: "write demo-mirror/index.html anew"),
            Example(
                line: "sluice gallery demo-mirror --title Lakes --theme dark",
                meaning: "with another heading and dark colours, from now on"),
        ],
        run: { options, console in
            let folder = options.positionals[0]
            let look: GalleryLook
            do throws(UsageError) {
                look = try options.look()
            } catch {
                return console.refuse(error)
            }
            do throws(MirrorError) {
                let report =
                    try options.isRebuild
                    ? Mirror.rebuildLedger(folder, look: look) : Mirror.rebuild(folder, look: look)
                if !options.isQuiet {
                    let failed = report.failed > 0 ? ", \(report.failed) of them failed" : ""
                    let lost =
                        report.lost > 0 ? ", \(report.lost) not as the manifest says: mirror again to mend them" : ""
                    console.tell(
                        "\(counted(report.items, "photo"))\(failed)\(lost); gallery: \(galleryPath(in: folder))")
                }
                return .done
            } catch {
                return console.fail(error)
            }
        })
}

/// Where the gallery of a mirror is, as the terminal shows it.
func galleryPath(in folder: String) -> String {
    escaped(folder.hasSuffix("/") ? "\(folder)index.html" : "\(folder)/index.html")
}
