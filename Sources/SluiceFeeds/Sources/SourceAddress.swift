// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Completes addresses that people copy without their scheme, and those that stand for others.
enum SourceAddress {
    /// Returns the address of `//host/path`, `www.host/path`, or of a file in a data set of Hugging Face, the path of a
    /// `file:` address, and an address without what programs write around it.
    ///
    /// Other texts, and the names of existing files, stay as they are.
    static func completed(_ given: String) -> String {
        let text = bare(given)
        if let file = DatasetFilesSource(text, site: DatasetFilesSource.hub) == nil ? datasetFile(text) : nil {
            return file
        }
        if let path = localPath(text) { return path }
        if let file = sharedFile(text) { return file }
        let isRelative = text.hasPrefix("//") && beginsWithHost(String(text.dropFirst(2)))
        let isCommon = text.lowercased().hasPrefix("www.") && beginsWithHost(text)
        guard isRelative || isCommon, !InputFile.exists(text), (try? Folder(text)) == nil else { return text }
        return isRelative ? "https:\(text)" : "https://\(text)"
    }

    private static let brackets: [(start: Character, end: Character)] = [
        ("<", ">"), ("\"", "\""), ("'", "'"), ("`", "`"),
    ]

    /// Removes brackets, quotes, the commas of lists, and the schemes of browsers and feed readers around an address.
    private static func bare(_ given: String) -> String {
        var text = given.trimmed
        for pair in brackets where text.first == pair.start && text.last == pair.end && text.count > 1 {
            text = String(text.dropFirst().dropLast())
        }
        for prefix in ["view-source:", "url:", "feed:"] where text.lowercased().hasPrefix(prefix) {
            let rest = String(text.dropFirst(prefix.count)).trimmed
            // `feed://host/path` has no scheme of its own.
            text = prefix == "feed:" && rest.hasPrefix("//") ? "http:\(rest)" : rest
        }
        guard ListAddress.begins(text.utf8) || text.lowercased().hasPrefix("www."), !InputFile.exists(given) else {
            return given
        }
        while text.last == "," || text.last == ";" { text.removeLast() }
        return text
    }

    /// The parameters in which viewers and searches name the address that they show.
    private static let shownParameters: Set<String> = [
        "manifest", "iiif-content", "iiifmanifestid", "imgurl", "mediaurl",
    ]

    /// Returns the address that a page of a viewer or of a search shows, by its parameters; `nil` for another page.
    ///
    /// It is not used in place of the page, because only an address that the user wrote may be private.
    static func shown(by address: String) -> String? {
        guard ListAddress.begins(address.utf8) else { return nil }
        for part in address.split(whereSeparator: { "?&#".contains($0) }).dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, shownParameters.contains(pair[0].lowercased()),
                let inner = String(validating: pair[1].utf8.percentDecoded, as: UTF8.self),
                ListAddress.begins(inner.utf8), WebAddress(inner) != nil
            else { continue }
            return inner
        }
        return nil
    }

    /// Returns a shell command that writes the addresses which an address with a range (`[1-9]`, `{a,b}`) stands for;
    /// `nil` for another address.
    static func expansion(of address: String) -> String? {
        guard ListAddress.begins(address.utf8) else { return nil }
        let path = address.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        guard let start = path.firstIndex(where: { "[{".contains($0) }),
            let end = path[start...].firstIndex(of: path[start] == "[" ? "]" : "}")
        else { return nil }
        let inner = path[path.index(after: start)..<end]
        let ends = inner.split(separator: "-", omittingEmptySubsequences: false)
        let isRange = ends.count == 2 && ends.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber } }
        let choices = path[start] == "[" ? (isRange ? "\(ends[0])..\(ends[1])" : "") : String(inner)
        guard choices.contains("..") || choices.contains(",") else { return nil }
        let (front, back) = (address[..<start], address[address.index(after: end)...])
        return "printf '%s\\n' '\(front)'{\(choices)}'\(back)' | sluice mirror -"
    }

    /// Returns why a text that is neither a path nor a known source cannot be opened.
    static func problem(with text: String) -> String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "blob": return "it leads into a browser; give the address of the page"
        case "data": return "it is a picture itself; save it as a file, and give that"
        case "ftp", "ftps", "sftp", "scp", "magnet", "smb", "dav", "davs", "rsync":
            return
                "\(scheme): addresses are not supported; download the photos with another program, and give their folder"
        default: break
        }
        if text.hasPrefix("~/") { return "no such file; a shell replaces ~ only outside quotes" }
        return text.contains("*")
            ? "no file matches, and it is not a web address" : "no such file, and not a web address"
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

    /// Returns the address of the file that a page of GitHub, GitLab or Dropbox shows; `nil` for another address.
    private static func sharedFile(_ text: String) -> String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 4, parts[0] == "https:", parts[1].isEmpty else { return nil }
        switch parts[2] {
        case "github.com" where parts.count > 7 && parts[5] == "blob":
            return (parts[..<5] + ["raw"] + parts[6...]).joined(separator: "/")
        case "gitlab.com" where text.contains("/-/blob/"): return text.replacing("/-/blob/", with: "/-/raw/")
        case "www.dropbox.com" where text.hasSuffix("?dl=0") || text.hasSuffix("&dl=0"):
            return "\(text.dropLast())1"
        default: return nil
        }
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
