// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where a fact is in a record: names joined by dots, with alternatives behind bars (`description|alt_description`).
struct FieldPath: Sendable, Hashable {
    private let alternatives: [[String]]

    init(_ text: String) {
        alternatives = text.split(separator: "|").map { $0.split(separator: ".").map(String.init) }
    }

    /// The text of the first alternative that is there and neither `null` nor empty.
    func text(in record: JSON) -> String? {
        for names in alternatives {
            var value: JSON? = record
            for name in names { value = value?[name] }
            if let text = value?.text { return text }
        }
        return nil
    }
}
