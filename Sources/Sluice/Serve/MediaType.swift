// SPDX-License-Identifier: MIT

/// What browsers are told of a file of a mirror.
struct MediaType: Sendable, Hashable {
    /// The name, with its characters' encoding where it is text.
    let name: String
    /// Whether packing makes it smaller.
    let isText: Bool

    private static let texts = [
        "html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json",
        "jsonl": "application/x-ndjson", "csv": "text/csv", "txt": "text/plain",
    ]
    private static let pictures = ["jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"]

    /// The type of what a file's ending says; Sluice gives endings by content.
    init(ofFile file: String) {
        let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        isText = Self.texts[ending] != nil
        name = Self.texts[ending].map { "\($0); charset=utf-8" } ?? Self.pictures[ending] ?? "application/octet-stream"
    }
}
