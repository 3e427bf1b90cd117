// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// The settings that AWS's tools read: variables, and the profiles of two files in the home folder.
struct AWSConfiguration: Sendable {
    /// The name of the profile.
    let profile: String
    /// Whether the user named the profile, so that it must exist.
    let isNamed: Bool
    /// Returns the value of an environment variable; `nil` if it is empty.
    let variable: @Sendable (String) -> String?
    /// The profile's settings in the files `credentials` and `config`.
    private let credentialSettings: [String: String]?
    private let configSettings: [String: String]?

    /// The largest configuration file in bytes.
    private static let fileLimit = 1 << 20

    /// Reads the files of a profile; `variable` returns the value of an environment variable.
    init(profile: String? = nil, variable: @escaping @Sendable (String) -> String? = Self.environmentVariable) {
        self.variable = { name in variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let named = profile ?? self.variable("AWS_PROFILE")
        isNamed = named != nil
        self.profile = named ?? "default"
        let folder = (self.variable("HOME") ?? "") + "/.aws"
        let credentials = self.variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(folder)/credentials"
        let config = self.variable("AWS_CONFIG_FILE") ?? "\(folder)/config"
        credentialSettings = Self.sections(of: credentials)[self.profile]
        let sections = Self.sections(of: config)
        configSettings = sections["profile \(self.profile)"] ?? (self.profile == "default" ? sections["default"] : nil)
    }

    /// The value of a variable, or else of a setting of the profile.
    func value(_ variableName: String, setting: String) -> String? {
        variable(variableName) ?? credentialSettings?[setting] ?? configSettings?[setting]
    }

    /// The keys in the environment, or else in the profile; a profile that the user named comes first.
    func credentials() throws(S3Error) -> S3Credentials {
        let places = isNamed ? [fromFiles, fromEnvironment] : [fromEnvironment, fromFiles]
        if let credentials = places.lazy.compactMap({ $0() }).first { return credentials }
        let isMissing = credentialSettings == nil && configSettings == nil
        guard isNamed, isMissing else { throw S3Error(code: .noCredentials) }
        throw S3Error(code: .noCredentials, message: "there is no profile '\(profile)'")
    }

    private func fromEnvironment() -> S3Credentials? {
        guard let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") else {
            return nil
        }
        return S3Credentials(accessKey: key, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
    }

    private func fromFiles() -> S3Credentials? {
        for settings in [credentialSettings, configSettings] {
            guard let key = settings?["aws_access_key_id"], let secret = settings?["aws_secret_access_key"] else {
                continue
            }
            return S3Credentials(accessKey: key, secretKey: secret, sessionToken: settings?["aws_session_token"])
        }
        return nil
    }

    /// The sections of a file; empty if it cannot be read.
    private static func sections(of path: String) -> [String: [String: String]] {
        guard let file = try? OpenFile.reading(path, followsLink: true), let bytes = try? file.readAll(limit: fileLimit)
        else { return [:] }
        return sections(in: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses lines `[section]` and `name = value`; comments begin with `#` or `;`, and indented lines are ignored.
    static func sections(in text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var current: String?
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                let name = line.dropFirst().prefix { $0 != "]" }.split(whereSeparator: \.isWhitespace)
                current = name.joined(separator: " ")
                current.map { sections[$0] = sections[$0] ?? [:] }
                continue
            }
            let parts = line.split(separator: "=", maxSplits: 1)
            guard let current, parts.count == 2 else { continue }
            sections[current]?[parts[0].trimmed.lowercased()] = parts[1].trimmed
        }
        return sections
    }

    /// Reads a variable of the process.
    static let environmentVariable: @Sendable (String) -> String? = { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
