// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Parses publication dates in the formats that feeds and users write.
package enum PublishedDate {
    /// Parses a date into seconds since 1970; `nil` if the text is not a date.
    ///
    /// Accepts `2026-01-31`, `2026-01-31T09:30:00+02:00`, and the formats of mail and HTTP. The default zone is UTC.
    package static func seconds(of text: String) -> Int? {
        if let date = UTCTime.seconds(ofISO: text) { return date }
        // Texts without letters are excluded because libcurl also parses bare numbers as dates.
        return text.contains { $0.isLetter } ? parseHTTPDate(text) : nil
    }
}
