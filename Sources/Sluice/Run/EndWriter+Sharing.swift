// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

// The same bytes are kept once. It happens before a photo's file has its name, so that no name ever changes its file.

extension EndWriter {
    /// Lets originals share the bytes that an earlier photo has, be it of this batch or of any run before.
    ///
    /// What cannot be shared stays a file of its own: that costs room, and harms nobody. It returns the names that are of
    /// such a file already: two names of one file are not renamed to each other.
    func share(_ outcomes: [(seq: Int, outcome: Outcome)]) throws(MirrorError) -> Set<String> {
        var standing: Set<String> = []
        // What of this batch waits under which name.
        var waiting: [String: String] = [:]
        for (seq, outcome) in outcomes where outcome.receipt.state == .done {
            guard let original = outcome.receipt.original,
                let file = outcome.files.first(where: { $0.name == original.path })
            else { continue }
            let earlier = try MirrorError.inLedger(ledger.path(ofContent: original.sha256, besides: seq))
            let first = waiting[original.sha256] ?? earlier.flatMap { holds(original, at: $0) ? $0 : nil }
            if let first, folder.areOneFile(first, original.path) {
                standing.insert(original.path)
                continue
            }
            waiting[original.sha256] = file.temporary
            guard let first else { continue }
            _ = try? folder.share(first, with: file.temporary, temporary: "\(file.temporary)-same", flushed: false)
        }
        return standing
    }

    /// Whether a file that the ledger tells of has these bytes still.
    private func holds(_ original: StoredFile, at path: String) -> Bool {
        folder.holds(StoredFile(path: path, bytes: original.bytes, sha256: original.sha256))
    }
}
