// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// Finds the parts of the user's texts that may be secret.
enum SecretWords {
    /// The fields that tell a server nothing but what to send.
    private static let harmlessFields: Set = [
        "accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-type", "dnt", "host",
        "origin", "pragma", "range", "referer", "te", "upgrade-insecure-requests", "user-agent", "x-requested-with",
    ]
    /// Parts of the names of fields whose values are secrets, whatever they look like.
    private static let secretNames = ["auth", "key", "token", "secret", "pass", "session"]
    private static let minimumLength = 8
    /// Shorter words of lower-case letters may be settings, such as `orange`, that photos' texts have, too.
    private static let minimumLetters = 16

    /// Returns the words of a header, `Name: value`: the values of cookies, tokens and keys.
    static func ofHeader(_ line: String) -> [String] {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return [] }
        let name = parts[0].lowercased()
        guard !harmlessFields.contains(name), !name.hasPrefix("sec-") else { return [] }
        let isSecret = secretNames.contains { name.contains($0) }
        let words = parts[1].split { " \t;,\"".contains($0) }.flatMap { part in
            let value = part.firstIndex(of: "=").map { part[part.index(after: $0)...] }
            return name == "cookie" ? [value ?? part] : [part] + (value.map { [$0] } ?? [])
        }
        return words.map { String($0) }.filter { word in
            word.utf8.count >= minimumLength && !word.contains("://") && (isSecret || !isPlain(word))
        }
    }

    /// Returns the words of a password; a plain one may be part of photos' addresses.
    static func ofPassword(_ password: String, user: String) -> [String] {
        ["\(user):\(password)"] + (isPlain(password) ? [] : [password])
    }

    private static func isPlain(_ word: String) -> Bool {
        word.utf8.count < minimumLetters && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    /// Returns the passwords of the user's `.netrc`, which libcurl reads itself; none if it cannot be read.
    static func ofNetrc(_ path: String?) -> [String] {
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
        guard let path = path ?? home.map({ "\($0)/.netrc" }),
            let bytes = try? OpenFile.reading(path, followsLink: true).read(at: 0, count: 1 << 20)
        else { return [] }
        var words = words(ofNetrc: String(decoding: bytes, as: UTF8.self))[...]
        var passwords: [String] = []
        while let word = words.popFirst() {
            if word == "password", let value = words.popFirst(), !isPlain(value) { passwords.append(value) }
        }
        return passwords
    }

    /// Splits the text of a `.netrc` at blanks; a word may be in quotes, with backslashes.
    private static func words(ofNetrc text: String) -> [String] {
        var (words, word, quote, isEscaped): ([String], String?, Bool, Bool) = ([], nil, false, false)
        for character in text.unicodeScalars {
            if isEscaped {
                word?.unicodeScalars.append(character)
                isEscaped = false
            } else if quote, character == "\\" {
                isEscaped = true
            } else if character == "\"", word == nil || quote {
                (quote, word) = (!quote, word ?? "")
            } else if !quote, character.properties.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
