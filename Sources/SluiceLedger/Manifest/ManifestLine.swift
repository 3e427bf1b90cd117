// SPDX-License-Identifier: MIT

internal import SluiceModel

extension JSONWriter {
    /// Writes one line of `manifest.jsonl`.
    mutating func manifestLine(_ facts: ManifestFacts) {
        object { line in
            line.member("schema", 1)
            for (name, value) in zip(ManifestFacts.names, facts.values) {
                switch value {
                case .text(let text): line.member(name, text)
                case .number(let number): line.member(name, number)
                }
            }
            if !facts.thumbs.isEmpty { line.member("thumbs", array: { StoredLists.write(facts.thumbs, to: &$0) }) }
        }
        newline()
    }
}
