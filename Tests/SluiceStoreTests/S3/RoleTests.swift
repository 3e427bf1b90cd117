// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceStore

/// Temporary keys of roles, from servers that answer like the token service, a container's service and an instance's.
@Suite("Roles", .timeLimit(.minutes(10))) struct RoleTests {
    private static let start = 1_800_000_000
    private static let roleList = "/latest/meta-data/iam/security-credentials/"

    private static func reply(_ body: String, status: String = "200 OK") -> [RawServer.Step] {
        [.text("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    /// Keys with a number that are valid for some seconds from the start on.
    private static func keys(_ number: Int, valid seconds: Int) -> [RawServer.Step] {
        let expiry = Date(timeIntervalSince1970: Double(start + seconds)).ISO8601Format()
        return reply(
            """
            {"Code":"Success","AccessKeyId":"key\(number)","SecretAccessKey":"secret\(number)","Token":"token\(number)",
            "Expiration":"\(expiry)"}
            """)
    }

    private static func instance(_ keys: [[RawServer.Step]]) throws -> RawServer {
        try RawServer(sequences: [
            "/latest/api/token": [reply("session")], roleList: [reply("my-role\n")], "\(roleList)my-role": keys,
        ])
    }

    private static func client(_ variables: [String: String]) throws -> RoleClient {
        let source = try RoleSource(AWSConfiguration { variables[$0] }, region: "eu-west-1")
        return RoleClient(source, transfer: TransferOptions(userAgent: "test"))
    }

    /// The reason of the error that the client throws.
    private static func reason(_ variables: [String: String]) -> String? {
        let error = #expect(throws: S3Error.self) { try client(variables).credentials(CancellationToken()) }
        #expect(error?.isTransient != true || error?.status == 503)
        return error?.reason(bucket: "b")
    }

    @Test("An instance's keys are asked for with a session token, and are renewed before they expire")
    func instance() throws {
        let server = try Self.instance([Self.keys(1, valid: 1000), Self.keys(2, valid: 2000)])
        let time = Locked(Self.start)
        let role = RoleCredentials(try Self.client(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url("/")])) {
            time.withLock { $0 }
        }
        let first = try role.current(CancellationToken())
        #expect(first.accessKey == "key1" && first.secretKey == "secret1" && first.sessionToken == "token1")
        #expect(first.expiry == Self.start + 1000)
        #expect(server.requests.count == 3)
        #expect(server.requests[0].hasPrefix("PUT /latest/api/token "))
        #expect(server.requests[0].contains("\r\nX-aws-ec2-metadata-token-ttl-seconds: 21600\r\n"))
        #expect(server.requests[1...].allSatisfy { $0.contains("\r\nX-aws-ec2-metadata-token: session\r\n") })
        time.withLock { $0 += 600 }
        #expect(try role.current(CancellationToken()) == first && server.requests.count == 3)
        time.withLock { $0 += 200 }
        #expect(try role.current(CancellationToken()).accessKey == "key2")
        role.discard(first)
        #expect(try role.current(CancellationToken()).accessKey == "key2" && server.requests.count == 6)
    }

    @Test("Valid keys are used while the service fails; expired ones are not")
    func failingRenewal() throws {
        let failure = Self.reply("", status: "503 Service Unavailable")
        let server = try Self.instance([Self.keys(1, valid: 1000), failure])
        let time = Locked(Self.start)
        let role = RoleCredentials(try Self.client(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url("/")])) {
            time.withLock { $0 }
        }
        let keys = try role.current(CancellationToken())
        time.withLock { $0 += 900 }
        #expect(try role.current(CancellationToken()) == keys && server.requests.count == 6)
        #expect(try role.current(CancellationToken()) == keys && server.requests.count == 6)
        time.withLock { $0 += 100 }
        let error = #expect(throws: S3Error.self) { try role.current(CancellationToken()) }
        #expect(error?.isTransient == true)
    }

    @Test("A container's request has its token")
    func container() throws {
        let server = try RawServer(["/keys": Self.keys(1, valid: 1000)])
        let folder = TemporaryFolder()
        try folder.write("file-token\n", to: "token")
        let address = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/keys")]
        let file = address.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": folder.path("token")]) { $1 }
        let text = address.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "text-token"]) { $1 }
        #expect(try Self.client(file).credentials(CancellationToken()).accessKey == "key1")
        #expect(try Self.client(text).credentials(CancellationToken()).accessKey == "key1")
        #expect(server.requests[0].contains("\r\nAuthorization: file-token\r\n"))
        #expect(server.requests[1].contains("\r\nAuthorization: text-token\r\n"))
    }

    @Test("A web identity's token is exchanged for keys")
    func webIdentity() throws {
        let answer = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
            <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>key</AccessKeyId>
            <SecretAccessKey>secret</SecretAccessKey><SessionToken>a+b/c=</SessionToken>
            <Expiration>2027-01-15T08:16:40Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
            </AssumeRoleWithWebIdentityResponse>
            """
        let refusal = """
            <ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized</Message></Error></ErrorResponse>
            """
        let server = try RawServer(sequences: [
            "/": [Self.reply(answer), Self.reply(refusal, status: "403 Forbidden")]
        ])
        let folder = TemporaryFolder()
        try folder.write("identity+token", to: "token")
        let variables = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": folder.path("token"), "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
            "AWS_ENDPOINT_URL_STS": server.url("/"),
        ]
        let keys = try Self.client(variables).credentials(CancellationToken())
        #expect(keys.accessKey == "key" && keys.secretKey == "secret" && keys.sessionToken == "a+b/c=")
        #expect(keys.expiry == 1_800_001_000)
        let request = server.requests[0]
        #expect(request.hasPrefix("POST / ") && request.contains("Action=AssumeRoleWithWebIdentity&Version=2011-06-15"))
        #expect(request.hasSuffix("&RoleSessionName=sluice&WebIdentityToken=identity%2Btoken"))
        #expect(request.contains("&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&"))
        let reason = Self.reason(variables)
        #expect(
            reason?.hasSuffix("refuses: AccessDenied: Not authorized") == true && reason?.contains("identity+") == false
        )
        #expect(
            Self.reason(variables.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": "/nonexistent"]) { $1 })?
                .hasPrefix("cannot read the token of the role: ") == true)
        #expect(Self.reason(["AWS_WEB_IDENTITY_TOKEN_FILE": "x"])?.hasSuffix("but AWS_ROLE_ARN is not") == true)
    }

    @Test(
        "Services that refuse or answer nonsense give one sentence",
        arguments: [
            ("404 Not Found", "", "refuses: status 404"), ("503 Busy", "", "refuses: status 503"),
            ("302 Found", "", "refuses: status 302"), ("200 OK", "no JSON", "sends an invalid response"),
            (
                "200 OK", "{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\",\"Token\":\"c\"}",
                "sends an invalid response"
            ),
            ("200 OK", String(repeating: " ", count: 70_000), "fails: "),
        ])
    func failures(status: String, body: String, reason: String) throws {
        let server = try RawServer(["/keys": Self.reply(body, status: status)])
        let found = Self.reason(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/keys")])
        #expect(found?.contains(reason) == true, "\(found ?? "")")
    }

    @Test("A machine without a role, and addresses that must not be asked")
    func refusals() throws {
        let server = try RawServer(["/latest/api/token": Self.reply("session")])
        #expect(Self.reason(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url("/")]) == "this machine has no role")
        #expect(Self.reason(["AWS_EC2_METADATA_DISABLED": "true"])?.hasPrefix("there is no role") == true)
        let remote = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://192.0.2.1/keys"]
        #expect(Self.reason(remote)?.contains("must begin with https://") == true)
        // The path was appended to the address of the service, and named another host.
        for path in ["@192.0.2.1/keys", ":8080/keys", ".example.org/keys", "keys", "?x", "#x"] {
            let found = Self.reason(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": path])
            #expect(found == "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must begin with '/': '\(path)'")
        }
    }

    @Test("Keys that a store calls expired are renewed once, and without the option no service is asked")
    func expiry() throws {
        let expired = Self.reply("<Error><Code>ExpiredToken</Code></Error>", status: "400 Bad Request")
        let keys = Self.reply(
            "{\"AccessKeyId\":\"k\",\"SecretAccessKey\":\"s\",\"Token\":\"t1\",\"Expiration\":\"2099-01-01T00:00:00Z\"}"
        )
        let renewed = Self.reply(
            "{\"AccessKeyId\":\"k\",\"SecretAccessKey\":\"s\",\"Token\":\"t2\",\"Expiration\":\"2099-01-01T00:00:00Z\"}"
        )
        let server = try RawServer(sequences: [
            "/keys": [keys, renewed], "/photos/a": [expired, Self.reply("bytes"), expired],
        ])
        var options = S3Options()
        options.endpoint = server.url("/")
        let variables = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/keys")]
        let configuration = AWSConfiguration { variables[$0] }
        let transfer = TransferOptions(userAgent: "test")
        #expect(throws: S3Error.self) {
            try S3Client(bucket: "photos", options: options, transfer: transfer, configuration: configuration)
        }
        #expect(server.requests.isEmpty)
        options.usesRole = true
        let client = try S3Client(bucket: "photos", options: options, transfer: transfer, configuration: configuration)
        #expect(try client.get("a", limit: 10) == Array("bytes".utf8))
        let tokens = server.requests.compactMap { $0.firstMatch(of: /x-amz-security-token: (t.)\r\n/)?.1 }
        #expect(tokens == ["t1", "t2"])
        let error = #expect(throws: S3Error.self) { try client.get("a", limit: 10) }
        #expect(error?.isExpiry == true && server.requests.filter { $0.contains(" /photos/a ") }.count == 4)
    }
}
