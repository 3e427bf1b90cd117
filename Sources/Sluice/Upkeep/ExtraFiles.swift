// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The files in a mirror's folder that are neither the ledger's nor made of it, nor its settings; hidden ones are nobody's business.
struct ExtraFiles {
    /// What is written of the ledger, and may be written anew.
    private static let derived: Set<String> = [
        "index.html", "manifest.jsonl", "manifest.csv", "report.json", "report.html",
        SettingsFile.name,
    ]

    private var walk: FileWalk
    private let known: Set<Fingerprint>

    /// Begins before the first; `known` are the paths of the ledger's files.
    init(in folder: String, known: Set<Fingerprint>) {
        walk = FileWalk([folder])
        self.known = known
    }

    /// The next one; `nil` behind the last.
    mutating func next() -> FileFault? {
        while let file = walk.next() {
            let path = file.relative
            let isDerived = Self.derived.contains(path) || path.hasPrefix("gallery/")
            if !isDerived, !known.contains(Fingerprint(path)) { return FileFault(.extra, path) }
        }
        return nil
    }
}
