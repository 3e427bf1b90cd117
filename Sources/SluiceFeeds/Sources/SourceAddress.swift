// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// Completes addresses that people copy without their scheme, and those that stand for others.
enum SourceAddress {
    /// Returns the address of `//host/path`, `www.host/path`, or of a file in a data set of Hugging Face.
    ///
    /// Other texts, and the names of existing files, stay as they are.
    static func completed(_ text: String) -> String {
        if let file = DatasetFilesSource(text, site: DatasetFilesSource.hub) == nil ? datasetFile(text) : nil {
            return file
        }
        let isRelative = text.hasPrefix("//") && beginsWithHost(String(text.dropFirst(2)))
        let isCommon = text.lowercased().hasPrefix("www.") && beginsWithHost(text)
        guard isRelative || isCommon, !InputFile.exists(text), (try? Folder(text)) == nil else { return text }
        return isRelative ? "https:\(text)" : "https://\(text)"
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
