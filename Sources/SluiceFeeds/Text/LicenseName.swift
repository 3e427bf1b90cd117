// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One vocabulary for the licences of all services: the names of Creative Commons, such as `CC BY-SA 4.0`, and
/// `CC0-1.0`.
///
/// Services write the same licence as `by-sa 4.0`, as `CC-BY-SA-4.0` or as an address.
enum LicenseName {
    private static let statements = [
        "InC": "In Copyright", "InC-OW-EU": "In Copyright - EU Orphan Work",
        "InC-EDU": "In Copyright - Educational Use Permitted", "InC-NC": "In Copyright - Non-Commercial Use Permitted",
        "InC-RUU": "In Copyright - Rights-holder(s) Unlocatable or Unidentifiable",
        "NoC-CR": "No Copyright - Contractual Restrictions",
        "NoC-NC": "No Copyright - Non-Commercial Use Only",
        "NoC-OKLR": "No Copyright - Other Known Legal Restrictions", "NoC-US": "No Copyright - United States",
        "CNE": "Copyright Not Evaluated", "UND": "Copyright Undetermined", "NKC": "No Known Copyright",
    ]

    /// Returns the name in the vocabulary for a service's name; `nil` if the service's name is of no known form.
    static func name(for text: String) -> String? {
        if text.utf8.starts(with: "http".utf8) { return name(forAddress: text) }
        var words = text.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }[...]
        if words.first == "cc", words.count > 1 { words = words.dropFirst() }
        guard let first = words.first else { return nil }
        if ["cc0", "zero", "0"].contains(first), isVersion(words.dropFirst()) { return "CC0-1.0" }
        if first == "pdm", isVersion(words.dropFirst()) { return "Public Domain Mark 1.0" }
        if words.prefix(3).elementsEqual(["public", "domain", "mark"]), isVersion(words.dropFirst(3)) {
            return "Public Domain Mark 1.0"
        }
        let terms = words.prefix { ["by", "nc", "nd", "sa"].contains($0) }
        let rest = words.dropFirst(terms.count)
        guard terms.first == "by", isVersion(rest) else { return nil }
        let code = terms.joined(separator: "-").uppercased()
        return "CC \(code)" + (rest.first.map { " \($0)" } ?? "")
    }

    /// Whether the words are nothing or a version, such as `4.0`.
    private static func isVersion(_ words: ArraySlice<Substring>) -> Bool {
        guard let word = words.first else { return true }
        return words.count == 1 && word.utf8.count == 3 && word.utf8.allSatisfy { (0x2E...0x39).contains($0) }
    }

    /// Returns the name for the address of a licence or of a rights statement.
    static func name(forAddress address: String) -> String? {
        let parts = address.split(separator: "/").dropFirst(1).map(String.init)
        guard parts.count >= 3 else { return nil }
        let site = parts[0].lowercased().utf8.starts(with: "www.".utf8) ? String(parts[0].dropFirst(4)) : parts[0]
        switch (site.lowercased(), parts[1]) {
        case ("creativecommons.org", "licenses"):
            return name(for: ([parts[2]] + parts.dropFirst(3).prefix(1)).joined(separator: " "))
        case ("creativecommons.org", "publicdomain"):
            return parts[2] == "zero" ? "CC0-1.0" : parts[2] == "mark" ? "Public Domain Mark 1.0" : nil
        case ("rightsstatements.org", "vocab"), ("rightsstatements.org", "page"): return statements[parts[2]]
        default: return nil
        }
    }

    /// Returns the address of a licence in the vocabulary; `nil` for other licences.
    static func address(of name: String) -> String? {
        switch name {
        case "CC0-1.0": return "https://creativecommons.org/publicdomain/zero/1.0/"
        case "Public Domain Mark 1.0": return "https://creativecommons.org/publicdomain/mark/1.0/"
        default:
            let words = name.split(separator: " ")
            guard words.count == 3, words[0] == "CC" else { return nil }
            return "https://creativecommons.org/licenses/\(words[1].lowercased())/\(words[2])/"
        }
    }
}

extension Photo {
    /// Replaces the service's name of the licence by that of the vocabulary, and completes the name or the address.
    mutating func normalizeLicense() {
        if let text = license, text.utf8.starts(with: "http".utf8) {
            licenseURL = licenseURL ?? text
            license = LicenseName.name(forAddress: text) ?? license
        } else if let text = license {
            license = LicenseName.name(for: text) ?? text
        } else if let address = licenseURL {
            license = LicenseName.name(forAddress: address)
        }
        if licenseURL == nil { licenseURL = license.flatMap(LicenseName.address) }
    }
}
