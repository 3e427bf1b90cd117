// SPDX-License-Identifier: MIT

extension String {
    /// The text, cut with an ellipsis if it is longer than anyone would read; `nil` if there is nothing to see in it.
    func shown(upTo limit: Int) -> String? {
        guard utf8.contains(where: { $0 > 0x20 }) else { return nil }
        guard utf8.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + "…"
    }
}
