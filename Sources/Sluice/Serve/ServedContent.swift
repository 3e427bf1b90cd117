// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// What a browser may do with a file of a mirror, by the file's name.
///
/// Only the files that Sluice's gallery writes are pages, scripts and style sheets. A mirror from someone else may
/// contain other such files, which are served as downloads.
enum ServedContent: Sendable, Hashable {
    /// The gallery's front page, which runs the gallery's scripts.
    case frontPage
    /// A page without scripts: a plain page of the gallery.
    case plainPage
    /// A page without scripts whose styles are inside it: the report of a run.
    case reportPage
    case script
    case style
    case inert

    /// The name of the header field with the policy.
    static let policyField = "Content-Security-Policy"
    private static let scripts: Set = ["gallery/gallery.js", "gallery/detail.js", "gallery/zip.js"]
    private static let styles: Set = ["gallery/style.css", "gallery/dark.css", "gallery/user.css"]
    private static let numberedScripts: Set = ["data", "index", "text", "hashes"]

    init(ofFile name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if name == SiteRouter.frontPage {
            self = .frontPage
        } else if name == RunReport.pageFile {
            self = .reportPage
        } else if Self.scripts.contains(name) {
            self = .script
        } else if Self.styles.contains(name) {
            self = .style
        } else if parts.count == 3, parts[0] == "gallery" {
            self =
                if parts[1] == "pages", Self.isNumbered(parts[2], ".html") {
                    .plainPage
                } else if Self.numberedScripts.contains(String(parts[1])), Self.isNumbered(parts[2], ".js") {
                    .script
                } else {
                    .inert
                }
        } else {
            self = .inert
        }
    }

    private static func isNumbered(_ name: Substring, _ suffix: String) -> Bool {
        let digits = name.dropLast(suffix.count)
        return name.hasSuffix(suffix) && (1...9).contains(digits.utf8.count)
            && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether a browser shows the file as a page.
    var isPage: Bool { [.frontPage, .plainPage, .reportPage].contains(self) }

    var policy: String {
        let sources =
            switch self {
            case .frontPage: "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
            case .plainPage: "style-src 'self'; img-src 'self'"
            case .reportPage: "style-src 'unsafe-inline'"
            // The browser's own page for a picture has styles in it.
            case .script, .style, .inert: "style-src 'unsafe-inline'; sandbox"
            }
        return "default-src 'none'; \(sources); worker-src 'none'; frame-src 'none'; object-src 'none'; "
            + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    }

    /// The policy for the file at a name that several mirrors share: the page gets no origin and no scripts.
    var sandboxedPolicy: String { policy.contains("sandbox") ? policy : policy + "; sandbox" }
}

/// The media type of a mirror's file, derived from its file extension.
struct MediaType: Sendable, Hashable {
    /// The value of the `Content-Type` field, with the charset for text.
    let name: String
    /// Whether the content is text, which compresses well.
    let isText: Bool
    /// Whether a browser must save the file, because it would otherwise interpret it.
    let isOpaque: Bool

    private static let texts = [
        "json": "application/json", "jsonl": "application/x-ndjson", "csv": "text/csv", "txt": "text/plain",
    ]

    /// The type for a file's extension.
    ///
    /// Sluice chooses extensions by content, so they are reliable.
    init(ofFile file: String, _ content: ServedContent = .inert) {
        let fileExtension = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let text: String? =
            switch content {
            case .frontPage, .plainPage, .reportPage: "text/html"
            case .script: "text/javascript"
            case .style: "text/css"
            case .inert: Self.texts[fileExtension]
            }
        // XML pictures, such as SVG, and documents may contain scripts, which would have access to the mirror.
        let picture = ImageFormat(fileExtension: fileExtension)
            .flatMap { !$0.isPicture || $0.mediaType.hasSuffix("+xml") ? nil : $0.mediaType }
        isText = text != nil
        isOpaque = text == nil && picture == nil
        name = text.map { "\($0); charset=utf-8" } ?? picture ?? "application/octet-stream"
    }
}
