// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Completes addresses that people copy without their scheme, and those that stand for others.
enum SourceAddress {
    /// Returns the address of `//host/path`, `www.host/path`, or of a file in a data set of Hugging Face, and the path
    /// of a `file:` address.
    ///
    /// Other texts, and the names of existing files, stay as they are.
    static func completed(_ text: String) -> String {
        if let file = DatasetFilesSource(text, site: DatasetFilesSource.hub) == nil ? datasetFile(text) : nil {
            return file
        }
        if let path = localPath(text) { return path }
        let isRelative = text.hasPrefix("//") && beginsWithHost(String(text.dropFirst(2)))
        let isCommon = text.lowercased().hasPrefix("www.") && beginsWithHost(text)
        guard isRelative || isCommon, !InputFile.exists(text), (try? Folder(text)) == nil else { return text }
        return isRelative ? "https:\(text)" : "https://\(text)"
    }

    /// Returns the address that a text without a scheme may stand for; `nil` if it looks like none.
    static func suggestion(for text: String) -> String? {
        guard text.contains("/") else { return nil }
        if beginsWithHost(text) { return "https://\(text)" }
        let host = text.prefix { $0 != "/" }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let isPort = parts.count == 2 && !parts[0].isEmpty && Int(parts[1]).map { (1...65535).contains($0) } ?? false
        let isNumeric = host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
        guard isPort || isNumeric || host == "localhost" else { return nil }
        return WebAddress("http://\(text)") == nil ? nil : "http://\(text)"
    }

    /// Returns the path of `file:///path` and `file://localhost/path`.
    private static func localPath(_ text: String) -> String? {
        guard let prefix = ["file://localhost/", "file:///"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return nil
        }
        // A path that is not UTF-8 has no other text.
        return String(validating: text.utf8.dropFirst(prefix.utf8.count - 1).percentDecoded, as: UTF8.self)
    }

    /// Whether a text begins like an address without its scheme: with a name that has a registrable domain.
    static func beginsWithHost(_ text: String) -> Bool {
        let host = String(text.prefix { !"/?#".contains($0) })
        guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix("."), host.utf8.allSatisfy({ $0 > 0x20 }),
            let ending = host.split(separator: ".").last, ending.count >= 2, ending.allSatisfy(\.isLetter)
        else { return false }
        return WebAddress("https://\(text)") != nil
    }

    /// Returns the download address of `hf://datasets/OWNER/NAME[@REVISION]/PATH`, and of the page of such a file.
    private static func datasetFile(_ text: String) -> String? {
        let site = "https://huggingface.co/datasets/"
        if text.hasPrefix("hf://datasets/") {
            let parts = text.dropFirst("hf://datasets/".count).split(separator: "/", maxSplits: 2)
            guard parts.count == 3 else { return nil }
            let name = parts[1].split(separator: "@", maxSplits: 1)
            guard let dataset = name.first else { return nil }
            let revision = name.count > 1 ? name[1].replacing("/", with: "%2F") : "main"
            return "\(site)\(parts[0])/\(dataset)/resolve/\(revision)/\(parts[2])"
        }
        guard text.hasPrefix(site) else { return nil }
        let parts = text.dropFirst(site.count).split(separator: "/", maxSplits: 3)
        guard parts.count == 4, parts[2] == "blob" else { return nil }
        return "\(site)\(parts[0])/\(parts[1])/resolve/\(parts[3])"
    }
}
