// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// Where the temporary keys of a role come from: the first that is configured, in the order of AWS's tools.
enum RoleSource: Sendable {
    /// A token service exchanges the token in a file for keys.
    case webIdentity(tokenFile: String, role: String, session: String, service: WebAddress)
    /// A service beside the container has the keys.
    case container(WebAddress, token: AuthorizationToken?)
    /// The machine's metadata service has the keys.
    case instance(WebAddress)

    /// The token that a container sends with its request.
    enum AuthorizationToken: Sendable {
        case text(String)
        case file(String)
    }

    private static let instanceService = "http://169.254.169.254"
    private static let containerService = "http://169.254.170.2"
    /// Where a service without encryption may be, besides on this machine.
    private static let containerHosts: Set = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]

    /// Throws if no source is configured, or if one is configured wrongly.
    init(_ configuration: AWSConfiguration, region: String) throws(S3Error) {
        self =
            if let source = try Self.webIdentity(configuration, region) {
                source
            } else if let source = try Self.container(configuration) { source } else {
                try Self.instance(configuration)
            }
    }

    /// The service that is asked.
    var service: WebAddress {
        switch self {
        case .webIdentity(_, _, _, let service), .container(let service, _), .instance(let service): service
        }
    }

    private static func webIdentity(_ configuration: AWSConfiguration, _ region: String) throws(S3Error) -> RoleSource?
    {
        let file = configuration.value("AWS_WEB_IDENTITY_TOKEN_FILE", setting: "web_identity_token_file")
        guard let file else { return nil }
        guard let role = configuration.value("AWS_ROLE_ARN", setting: "role_arn") else {
            throw S3Error(code: .noCredentials, message: "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not")
        }
        let service = configuration.variable("AWS_ENDPOINT_URL_STS") ?? "https://sts.\(region).amazonaws.com"
        return .webIdentity(
            tokenFile: file, role: role,
            session: configuration.value("AWS_ROLE_SESSION_NAME", setting: "role_session_name") ?? "sluice",
            service: try address(service, of: "AWS_ENDPOINT_URL_STS"))
    }

    private static func container(_ configuration: AWSConfiguration) throws(S3Error) -> RoleSource? {
        let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
        let relative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
        let service: WebAddress
        if let path = configuration.variable(relative) {
            // Otherwise the text could change the host, for example with "@".
            guard path.hasPrefix("/") else {
                throw S3Error(code: .noCredentials, message: "\(relative) must begin with '/': '\(path)'")
            }
            service = try address(containerService + path, of: relative)
        } else if let text = configuration.variable(full) {
            service = try address(text, of: full)
        } else {
            return nil
        }
        // Keys must not cross a network in plain text.
        guard service.scheme == "https" || containerHosts.contains(service.host) || isThisMachine(service) else {
            throw S3Error(
                code: .noCredentials, message: "\(full) must begin with https:// or name this machine: \(service.text)")
        }
        let token =
            configuration.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE").map { AuthorizationToken.file($0) }
            ?? configuration.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN").map { .text($0) }
        return .container(service, token: token)
    }

    private static func isThisMachine(_ address: WebAddress) -> Bool {
        address.host == "localhost" || address.host == "[::1]" || address.host.hasPrefix("127.")
    }

    private static func instance(_ configuration: AWSConfiguration) throws(S3Error) -> RoleSource {
        guard configuration.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else {
            throw S3Error(
                code: .noCredentials,
                message: "there is no role: AWS_EC2_METADATA_DISABLED is set, so the metadata service is not used")
        }
        let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        return .instance(try address(configuration.variable(name) ?? instanceService, of: name))
    }

    private static func address(_ text: String, of variable: String) throws(S3Error) -> WebAddress {
        guard let address = WebAddress(text), ["http", "https"].contains(address.scheme) else {
            throw S3Error(code: .noCredentials, message: "\(variable) is not a web address: '\(text)'")
        }
        return address
    }
}
