// SPDX-License-Identifier: MIT

extension String {
    /// The text, cut with an ellipsis to about `limit` characters; `nil` if it is blank.
    func shown(upTo limit: Int) -> String? {
        guard utf8.contains(where: { $0 > 0x20 }) else { return nil }
        guard utf8.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + "…"
    }
}
