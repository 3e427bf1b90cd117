// SPDX-License-Identifier: MIT

/// Identifies the original and the options that a file's thumbnails were made with.
///
/// The receipt stores it as text.
struct FileStamp: Sendable, Hashable {
    /// The fingerprint of the thumbnail options.
    var options: String
    /// The file's size, timestamps and inode.
    var status: String
    /// The SHA-256 of the content.
    var content: String

    /// Parses a receipt's stamp; `nil` if it is not that of a file.
    init?(_ text: String?) {
        guard let parts = text?.split(separator: " "), parts.count == 3 else { return nil }
        self.init(options: String(parts[0]), status: String(parts[1]), content: String(parts[2]))
    }

    init(options: String, status: String, content: String) {
        (self.options, self.status, self.content) = (options, status, content)
    }

    /// The text that the receipt stores.
    var text: String { "\(options) \(status) \(content)" }
}
