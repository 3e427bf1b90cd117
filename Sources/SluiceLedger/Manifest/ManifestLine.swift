// SPDX-License-Identifier: MIT

internal import SluiceModel

extension JSONWriter: ManifestForm {
    mutating func fact(_ name: String, _ text: String?) { member(name, text) }
    mutating func fact(_ name: String, _ number: Int?) { member(name, number) }

    /// Writes one line of `manifest.jsonl`.
    mutating func manifestLine(_ item: Item, _ receipt: Receipt) {
        object { line in
            line.member("schema", 1)
            line.tell(item, receipt)
            if !receipt.thumbs.isEmpty {
                line.member("thumbs", array: { StoredLists.write(receipt.thumbs, to: &$0) })
            }
        }
        newline()
    }
}
