// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// The API key of a service: the environment variable that holds it, and the place of the key in requests.
struct RecipeKey: Sendable {
    static let members = ["environment", "from", "header", "value", "query", "optional", "token"]
    static let tokenMembers = ["address", "secret"]

    /// The OAuth 2 client credentials grant: the key is the client id, exchanged with a secret for an access token.
    struct TokenGrant: Sendable {
        /// The address of the token endpoint.
        var address: String
        /// The environment variable with the client secret.
        var secret: String
    }

    /// The environment variable with the key.
    ///
    /// The variable with the suffix `_FILE` holds the path of a key file.
    let environment: String
    /// The address where users get a key.
    let from: String
    /// The request header with the key.
    let header: String?
    /// The header's value, with `{key}` as the placeholder.
    let value: String
    /// The query parameter with the key.
    let query: String?
    /// Whether the service also works without a key.
    let isOptional: Bool
    /// The grant that exchanges the key for an access token, if the service requires one.
    let token: TokenGrant?

    /// The variables that the recipe reads.
    var variables: [String] { [environment] + (token.map { [$0.secret] } ?? []) }

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        environment = node.required("environment")
        from = node.required("from")
        header = node.text("header")
        value = node.text("value") ?? "{key}"
        query = node.text("query")
        isOptional = node.flag("optional")
        if (header == nil) == (query == nil) { node.report("expected either header or query") }
        token = node["token"].map { token in
            token.checkMembers(Self.tokenMembers)
            return TokenGrant(address: token.required("address"), secret: token.required("secret"))
        }
    }

    /// Reports variables that a recipe from a file may not read.
    func checkVariables(_ rule: KeyVariable, in node: RecipeNode) {
        if !environment.isEmpty, let problem = rule.problem(with: environment) {
            node.report(problem, at: "environment")
        }
        if let token, !token.secret.isEmpty,
            let problem = rule.problem(with: token.secret, suffixes: ["SECRET", "KEY"])
        {
            node["token"]?.report(problem, at: "secret")
        }
    }

    /// How the user's key gives access to the service.
    enum Access: Sendable {
        /// Each request carries the key.
        case key(Secret)
        /// A form with the key is exchanged for an access token, which each request carries.
        case grant(Secret)

        /// What must not be shown.
        var secret: Secret {
            switch self {
            case .key(let secret), .grant(let secret): secret
            }
        }
    }

    /// Reads the user's key for a recipe; returns `nil` if it is not set and optional.
    func access(to recipe: Recipe) throws(SourceError) -> Access? {
        let name = recipe.name
        guard let key = try Self.read(environment) else {
            if isOptional { return nil }
            throw SourceError(
                "\(name) requires an API key: set \(environment) to the key or \(environment)_FILE to a file with it; get one at \(from)"
            )
        }
        guard let token else { return access(to: recipe, key: key) }
        guard let secret = try Self.read(token.secret) else {
            throw SourceError("\(name) requires a client secret: set \(token.secret) to it")
        }
        return access(to: recipe, key: key, clientSecret: secret)
    }

    /// Makes the access with a key, which is bound to the origin of the recipe's base address.
    func access(to recipe: Recipe, key: String, clientSecret: String = "") -> Access? {
        guard let base = WebAddress(recipe.base) else { return nil }
        guard token != nil else { return .key(secret(key, for: base)) }
        let fields = [("grant_type", "client_credentials"), ("client_id", key), ("client_secret", clientSecret)]
        return .grant(Secret(form: fields, hiding: [key, clientSecret], for: base))
    }

    /// Returns what a request carries for a key or an access token.
    func secret(_ word: String, for base: WebAddress) -> Secret {
        if let query { return Secret(parameter: query, word, for: base) }
        return Secret(header: "\(header ?? ""): \(value.replacing("{key}", with: word))", hiding: [word], for: base)
    }

    /// Reads the variable, or the file that the variable with the suffix `_FILE` names.
    private static func read(_ name: String) throws(SourceError) -> String? {
        if let text = environmentValue(name) { return try checked(text, name) }
        guard let path = environmentValue("\(name)_FILE") else { return nil }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: 4096)
        } catch {
            throw SourceError("cannot read the key file in \(name)_FILE: \(error.reason)")
        }
        return try checked(String(decoding: bytes, as: UTF8.self), "\(name)_FILE")
    }

    /// The minimum length of a key in bytes.
    ///
    /// A key is replaced by `***` wherever a service repeats it. A shorter one would also destroy ids and addresses.
    private static let minimumLength = 6

    /// Validates a key: it must be one printable word, because a line break would inject another header.
    private static func checked(_ text: String, _ name: String) throws(SourceError) -> String {
        let key = text.trimmed
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SourceError("\(name) does not hold a key: expected one word of printable ASCII characters")
        }
        guard key.utf8.count >= minimumLength else {
            let length = key.utf8.count == 1 ? "1 character" : "\(key.utf8.count) characters"
            throw SourceError("\(name) does not hold a key: it has \(length), expected at least \(minimumLength)")
        }
        return key
    }

    private static func environmentValue(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// The rule for the environment variables that a recipe may read.
///
/// A recipe from someone else must not send a key of another program to its service. So its variables begin with its
/// own name, and with the name of no other program and no built-in service.
struct KeyVariable {
    /// The first words of variables that well-known programs and services use for their own secrets.
    private static let foreignPrefixes: Set = [
        "ALIBABA", "AMAZON", "ANTHROPIC", "APPLE", "ATLASSIAN", "AWS", "AZURE", "B2", "BITBUCKET", "BORG", "CF", "CI",
        "CIRCLE", "CLOUDFLARE", "COHERE", "CONSUL", "DATABASE", "DATADOG", "DB", "DD", "DIGITALOCEAN", "DO", "DOCKER",
        "FASTLY", "GCLOUD", "GCP", "GEMINI", "GH", "GIT", "GITHUB", "GITLAB", "GOOGLE", "GPG", "HEROKU", "HETZNER",
        "HF",
        "HUGGINGFACE", "KUBE", "LINODE", "MINIO", "MISTRAL", "MYSQL", "NETLIFY", "NPM", "OCI", "OPENAI", "PAYPAL", "PG",
        "PGP", "POSTGRES", "PYPI", "RCLONE", "REDIS", "RESTIC", "S3", "SENDGRID", "SENTRY", "SLACK", "SSH", "SSL",
        "STRIPE", "TELEGRAM", "TLS", "TWILIO", "VAULT", "VERCEL",
    ]

    let recipe: String
    let base: String

    /// Returns why the recipe may not read a variable; `nil` if it may.
    ///
    /// `suffixes` are the last words that the variable may have.
    func problem(with variable: String, suffixes: [String] = ["KEY"]) -> String? {
        if let owner = BuiltInRecipes.all.first(where: { $0.key?.variables.contains(variable) == true }) {
            let host = WebAddress(owner.base)?.host
            return host != nil && host == WebAddress(base)?.host
                ? nil : "\(variable) belongs to the built-in service '\(owner.name)' at \(host ?? "")"
        }
        let own = String(
            recipe.unicodeScalars.map { scalar in
                let character = Character(scalar)
                guard character.isASCII, character.isLetter || character.isNumber else { return "_" as Character }
                return character.uppercased().first ?? character
            })
        let isOwn = suffixes.contains { isVariable(variable, of: own, suffix: $0) }
        guard isOwn else {
            let names = suffixes.map { "\(own)_\($0) or \(own)_WORD_\($0)" }.joined(separator: ", ")
            return "expected \(names): a recipe reads only variables that begin with its own name"
        }
        let prefix = String(variable.prefix { $0 != "_" })
        return Self.foreignPrefixes.contains(prefix)
            ? "\(variable) may be a secret of another program; name the recipe differently" : nil
    }

    /// Whether the variable has the recipe's name, at most one other word, and the suffix.
    private func isVariable(_ variable: String, of own: String, suffix: String) -> Bool {
        guard own.utf8.first.map({ $0 != UInt8(ascii: "_") }) == true else { return false }
        if variable == "\(own)_\(suffix)" { return true }
        guard variable.hasPrefix("\(own)_"), variable.hasSuffix("_\(suffix)"),
            variable.utf8.count > own.utf8.count + suffix.utf8.count + 2
        else { return false }
        let word = variable.dropFirst(own.count + 1).dropLast(suffix.count + 1)
        return word.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    }
}
