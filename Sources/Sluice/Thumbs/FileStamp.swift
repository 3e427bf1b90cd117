// SPDX-License-Identifier: MIT

/// What a file's thumbnails were made of, as their receipt keeps it: the options, the file's looks, and its content.
struct FileStamp: Sendable, Hashable {
    /// The options' fingerprint.
    var options: String
    /// What the system says of the file without reading it: its size, its times, its place on the disk.
    var looks: String
    /// The content's SHA-256.
    var content: String

    /// Reads a receipt's stamp; `nil` for one that is no file's.
    init?(_ text: String?) {
        guard let parts = text?.split(separator: " "), parts.count == 3 else { return nil }
        self.init(options: String(parts[0]), looks: String(parts[1]), content: String(parts[2]))
    }

    /// Makes a stamp.
    init(options: String, looks: String, content: String) {
        (self.options, self.looks, self.content) = (options, looks, content)
    }

    /// The stamp as the receipt keeps it.
    var text: String { "\(options) \(looks) \(content)" }
}
