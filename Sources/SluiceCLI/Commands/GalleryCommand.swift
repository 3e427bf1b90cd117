// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let gallery = Command(
        name: .gallery,
        summary: "Write a mirror's gallery and manifest anew",
        about: [
            "Writes the gallery and the manifest of the mirror in DIR anew, from its ledger. Nothing is downloaded."
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [Example(line: "sluice gallery demo-mirror", meaning: "write demo-mirror/index.html anew")],
        run: { options, console in
            let folder = options.positionals[0]
            do throws(MirrorError) {
                let report = try Mirror.rebuild(folder)
                if !options.isQuiet {
                    let failed = report.failed > 0 ? ", \(report.failed) of them failed" : ""
                    console.tell("\(counted(report.items, "photo"))\(failed); gallery: \(galleryPath(in: folder))")
                }
                return .done
            } catch {
                console.complain(error.message)
                return ExitCode(error.code)
            }
        })
}

/// Where the gallery of a mirror is, as the terminal shows it.
func galleryPath(in folder: String) -> String {
    escaped(folder.hasSuffix("/") ? "\(folder)index.html" : "\(folder)/index.html")
}
