// SPDX-License-Identifier: MIT

internal import SluiceTransfer

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
