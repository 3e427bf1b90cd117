// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// The temporary keys of a role, which are renewed before they expire.
final class RoleCredentials: Sendable {
    private struct State {
        var current: S3Credentials?
        /// When the next renewal may be tried, in seconds since 1970.
        var nextAttempt = 0
    }

    private let client: RoleClient
    private let clock: @Sendable () -> Int
    private let state = Locked(State())

    /// Keys are renewed when they expire within this time in seconds.
    private static let margin = 300
    /// The time in seconds between attempts to renew keys that are still valid.
    private static let pause = 15

    init(_ client: RoleClient, clock: @escaping @Sendable () -> Int) {
        self.client = client
        self.clock = clock
    }

    /// Returns valid keys; asks for new ones if necessary, while other callers wait.
    func current(_ token: CancellationToken) throws(S3Error) -> S3Credentials {
        try state.withLock { (state) throws(S3Error) in
            let now = clock()
            let remaining = state.current?.expiry.map { $0 - now } ?? 0
            if let current = state.current, remaining > Self.margin || remaining > 0 && now < state.nextAttempt {
                return current
            }
            state.nextAttempt = now + Self.pause
            do throws(S3Error) {
                let renewed = try client.credentials(token)
                state.current = renewed
                return renewed
            } catch {
                // The service may be away for a moment.
                guard let current = state.current, remaining > 0 else { throw error }
                return current
            }
        }
    }

    /// Forgets keys that the store calls expired.
    func discard(_ expired: S3Credentials) {
        state.withLock { state in
            if state.current == expired { state.current = nil }
        }
    }
}

/// Asks a service for the temporary keys of a role.
struct RoleClient: Sendable {
    private let source: RoleSource
    private let transfers: Transfers

    /// The largest response and the largest token file in bytes.
    private static let limit = 64 << 10

    init(_ source: RoleSource, transfer: TransferOptions) {
        self.source = source
        var transfer = transfer
        // These services are at addresses that no feed may reach. Only they are allowed, and only here.
        transfer.addressGuard = AddressGuard()
        transfer.addressGuard.trust([source.service], writtenBy: .user)
        transfer.proxies = .direct
        transfer.http = .http1
        transfer.redirects = 0
        // Machines outside of a provider's network have none, which must show soon.
        transfer.connectTimeout = .seconds(3)
        transfer.firstByteTimeout = .seconds(10)
        transfers = Transfers(transfer)
    }

    func credentials(_ token: CancellationToken) throws(S3Error) -> S3Credentials {
        switch source {
        case .webIdentity(let file, let role, let session, let service):
            try exchange(tokenIn: file, for: role, session, at: service, token)
        case .container(let service, let authorization): try ask(service, authorization, token)
        case .instance(let service): try askMachine(service, token)
        }
    }

    // MARK: Services

    private func exchange(
        tokenIn file: String, for role: String, _ session: String, at service: WebAddress, _ token: CancellationToken
    ) throws(S3Error) -> S3Credentials {
        let form = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", session), ("WebIdentityToken", try text(ofFile: file)),
        ]
        let response = try send(
            "POST", service.text, ["Content-Type: application/x-www-form-urlencoded"],
            body: Array(form.map { "\($0.0)=\($0.1.percentEncoded())" }.joined(separator: "&").utf8), token)
        let root = ReplyElement(parsing: response.body, limit: Self.limit)
        guard response.status == 200 else {
            let error = root?.all("Error").first
            throw refusal(response, [error?["Code"], error?["Message"]].compactMap { $0 }.joined(separator: ": "))
        }
        let result = root?.all("AssumeRoleWithWebIdentityResult").first?.all("Credentials").first
        return try credentials(
            result?["AccessKeyId"], result?["SecretAccessKey"], result?["SessionToken"], result?["Expiration"])
    }

    private func ask(
        _ service: WebAddress, _ authorization: RoleSource.AuthorizationToken?, _ token: CancellationToken
    ) throws(S3Error) -> S3Credentials {
        var headers: [String] = []
        switch authorization {
        case .text(let text): headers = ["Authorization: \(text)"]
        case .file(let path): headers = ["Authorization: \(try text(ofFile: path))"]
        case nil: break
        }
        return try credentials(in: try successful(try send("GET", service.text, headers, token)))
    }

    private func askMachine(_ service: WebAddress, _ token: CancellationToken) throws(S3Error) -> S3Credentials {
        let base = "\(service.scheme)://\(service.authority)/latest"
        let session = try successful(
            send("PUT", "\(base)/api/token", ["X-aws-ec2-metadata-token-ttl-seconds: 21600"], token))
        let header = ["X-aws-ec2-metadata-token: \(try line(session))"]
        let roles = "\(base)/meta-data/iam/security-credentials/"
        let names = try send("GET", roles, header, token)
        guard names.status != 404 else { throw S3Error(code: .noCredentials, message: "this machine has no role") }
        let role = try line(successful(names))
        return try credentials(in: successful(send("GET", roles + role.percentEncoded(), header, token)))
    }

    // MARK: Requests

    private func send(
        _ method: String, _ url: String, _ headers: [String], body: [UInt8] = [], _ token: CancellationToken
    ) throws(S3Error) -> ServiceResponse {
        let request = ServiceRequest(
            method, url, headers: headers, body: body, limit: Self.limit, timeout: .seconds(20))
        do throws(Failure) {
            return try transfers.send(request, token: token)
        } catch {
            guard error.cause != .cancelled else { throw S3Error(error) }
            throw S3Error(
                code: .noCredentials, message: "the service for roles at \(source.service.text) fails: \(error.detail)")
        }
    }

    private func successful(_ response: ServiceResponse) throws(S3Error) -> ServiceResponse {
        guard response.status == 200 else { throw refusal(response, "") }
        return response
    }

    private func refusal(_ response: ServiceResponse, _ reason: String) -> S3Error {
        let detail = reason.isEmpty ? "status \(response.status)" : reason
        return S3Error(
            code: .noCredentials, status: response.status,
            message: "the service for roles at \(source.service.text) refuses: \(detail)")
    }

    // MARK: Responses

    /// The only line of a response.
    private func line(_ response: ServiceResponse) throws(S3Error) -> String {
        let lines = String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count == 1, lines[0].allSatisfy({ $0.isASCII && !$0.isWhitespace }) else { throw invalid }
        return String(lines[0])
    }

    private func credentials(in response: ServiceResponse) throws(S3Error) -> S3Credentials {
        guard let json = try? JSON(parsing: response.body) else { throw invalid }
        return try credentials(
            json["AccessKeyId"]?.text, json["SecretAccessKey"]?.text, json["Token"]?.text, json["Expiration"]?.text)
    }

    private func credentials(
        _ key: String?, _ secret: String?, _ token: String?, _ expiry: String?
    ) throws(S3Error) -> S3Credentials {
        guard let key, let secret, let token, let expiry = expiry.flatMap(UTCTime.seconds(ofISO:)) else {
            throw invalid
        }
        return S3Credentials(accessKey: key, secretKey: secret, sessionToken: token, expiry: expiry)
    }

    private var invalid: S3Error {
        S3Error(
            code: .noCredentials, message: "the service for roles at \(source.service.text) sends an invalid response")
    }

    private func text(ofFile path: String) throws(S3Error) -> String {
        do throws(FileError) {
            let bytes = try OpenFile.reading(path, followsLink: true).readAll(limit: Self.limit)
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined()
        } catch {
            throw S3Error(code: .noCredentials, message: "cannot read the token of the role: \(error)")
        }
    }
}
