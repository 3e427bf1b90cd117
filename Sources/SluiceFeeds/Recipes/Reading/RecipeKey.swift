// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The key that a service asks for: where the user keeps it, and how a request shows it.
struct RecipeKey: Sendable {
    static let members = ["environment", "from", "header", "value", "query", "optional", "token"]
    static let tokenMembers = ["address", "secret"]

    /// OAuth2 client credentials: the key is a client's id, and a token is had for it and its secret.
    struct Token: Sendable {
        /// Where tokens are had.
        var address: String
        /// The variable with the client's secret.
        var secret: String
    }

    /// The variable with the key; one with `_FILE` behind its name has the path of a file with the key.
    let environment: String
    /// Where the user gets one.
    let from: String
    /// The header that shows it...
    let header: String?
    /// ...and the header's value, with `{key}` in it.
    let value: String
    /// The parameter that shows it.
    let query: String?
    /// Whether the service answers without.
    let isOptional: Bool
    let token: Token?

    init(_ node: RecipeNode) {
        node.allow(Self.members)
        environment = node.required("environment")
        from = node.required("from")
        header = node.text("header")
        value = node.text("value") ?? "{key}"
        query = node.text("query")
        isOptional = node.flag("optional")
        if (header == nil) == (query == nil) { node.note("takes one of header and query") }
        token = node["token"].map { token in
            token.allow(Self.tokenMembers)
            return Token(address: token.required("address"), secret: token.required("secret"))
        }
    }

    /// The user's key; `nil` without one, if the service answers all the same.
    func secret(for name: String) throws(SourceError) -> Secret? {
        guard let key = try Self.read(environment) else {
            if isOptional { return nil }
            throw SourceError(
                "\(name) needs a key: put it into \(environment), or a file's path into \(environment)_FILE; get one at \(from)"
            )
        }
        guard let token else { return Secret(key: key) }
        guard let secret = try Self.read(token.secret) else {
            throw SourceError("\(name) needs a secret beside its key: put it into \(token.secret)")
        }
        return Secret(key: key, clientSecret: secret)
    }

    /// A variable's value, or that of the file that it names.
    private static func read(_ name: String) throws(SourceError) -> String? {
        if let text = environmentValue(name) { return try checked(text, name) }
        guard let path = environmentValue("\(name)_FILE") else { return nil }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: 4096)
        } catch {
            throw SourceError("the key's file cannot be read (\(name)_FILE: \(error.reason))")
        }
        return try checked(String(decoding: bytes, as: UTF8.self), "\(name)_FILE")
    }

    /// A key is one printable word: anything else in it would be another header.
    private static func checked(_ text: String, _ name: String) throws(SourceError) -> String {
        let key = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SourceError("\(name) has no key in it: a key is one word of printable letters")
        }
        return key
    }

    private static func environmentValue(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// What nobody but the service may see.
struct Secret: Sendable {
    var key: String
    var clientSecret: String?

    /// The text without it, for what comes back from the service and may be kept or shown.
    func removed(from bytes: [UInt8], and token: String?) -> [UInt8] {
        var bytes = bytes
        for word in words + (token.map { [Array($0.utf8)] } ?? []) where bytes.firstRange(of: word) != nil {
            bytes.replace(word, with: Array("***".utf8))
        }
        return bytes
    }

    private var words: [[UInt8]] {
        [key, encoded(key)].map { Array($0.utf8) }
            + (clientSecret.map { [Array($0.utf8), Array(encoded($0).utf8)] } ?? [])
    }
}
