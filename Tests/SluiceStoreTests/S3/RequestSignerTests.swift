// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceStore

/// The examples that AWS publishes for Signature Version 4 and S3.
@Suite("RequestSigner", .timeLimit(.minutes(10))) struct RequestSignerTests {
    private let signer = RequestSigner(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private let time = SigningTime(secondsSince1970: 1_369_353_600)

    private func signature(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: String = ""
    ) -> String {
        let parts = RequestSigner.Parts(
            method: method, host: "examplebucket.s3.amazonaws.com", path: path,
            query: query.map { (name: $0.0, value: $0.1) }, headers: headers.map { (name: $0.0, value: $0.1) },
            payloadHash: SHA256.digest(of: Array(body.utf8)))
        let authorization = signer.headers(for: parts, at: time).last { $0.name == "authorization" }?.value ?? ""
        return authorization.split(separator: "Signature=").last.map(String.init) ?? ""
    }

    @Test("Requests are signed as AWS does")
    func examples() {
        #expect(time.text == "20130524T000000Z")
        #expect(
            signature("GET", "/test.txt", headers: [("range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            signature(
                "PUT", "/test$file.text".percentEncoded(keeping: "/"),
                headers: [
                    ("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ], body: "Welcome to Amazon S3.")
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            signature("GET", "/", query: [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            signature("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("A session token is sent and signed")
    func sessionToken() {
        var signer = signer
        signer.credentials.sessionToken = "token"
        let parts = RequestSigner.Parts(method: "GET", host: "h", path: "/", payloadHash: S3Request.emptyHash)
        let headers = signer.headers(for: parts, at: time)
        #expect(headers.contains { $0.name == "x-amz-security-token" && $0.value == "token" })
        #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    }

    @Test("Queries are encoded and sorted, and every odd byte of a key is encoded")
    func encoding() {
        #expect(
            RequestSigner.canonicalQuery([("b", "a/b c"), ("a", "ü+=&"), ("a", "")])
                == "a=&a=%C3%BC%2B%3D%26&b=a%2Fb%20c")
        #expect(
            "/a b/ü~*'()+:@.jpg".percentEncoded(keeping: "/")
                == "/a%20b/%C3%BC~%2A%27%28%29%2B%3A%40.jpg")
    }

    @Test("Checksums are those of their specifications")
    func checksums() {
        #expect(
            ["", "f", "fo", "foo", "foobar"].map { Base64.encoded(Array($0.utf8)) } == [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy",
            ])
        #expect(Base64.encoded(hexadecimal: "00ff10") == "AP8Q")
        // The check value of CRC-64/NVME is AE8B14860A799888.
        for split in 0...9 {
            let bytes = Array("123456789".utf8)
            var crc = CRC64()
            crc.update(Array(bytes[..<split]))
            crc.update(Array(bytes[split...]))
            #expect(crc.base64 == Base64.encoded(hexadecimal: "AE8B14860A799888"))
        }
    }

    @Test("Secrets are not in descriptions")
    func secrets() {
        let credentials = signer.credentials
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("wJalr")) }
    }
}

@Suite("AWSConfiguration", .timeLimit(.minutes(10))) struct AWSConfigurationTests {
    private let home = TemporaryFolder()

    init() throws {
        try home.makeFolder(".aws")
        try """
        # A comment
        [default]
        aws_access_key_id = default-key
        aws_secret_access_key=default/secret+=
        [work]
        aws_access_key_id = work-key
        aws_secret_access_key = work-secret
        aws_session_token = work-token
        """.write(toFile: home.path(".aws/credentials"), atomically: true, encoding: .utf8)
        try """
        [default]
        region = eu-west-1
        [profile  work]
        region = eu-north-1
        s3 =
            addressing_style = path
        endpoint_url = https://store.example.net
        [profile roles]
        aws_access_key_id = config-key
        aws_secret_access_key = config-secret
        """.write(toFile: home.path(".aws/config"), atomically: true, encoding: .utf8)
    }

    private func configuration(profile: String? = nil, _ variables: [String: String] = [:]) -> AWSConfiguration {
        let variables = variables.merging(["HOME": home.path]) { given, _ in given }
        return AWSConfiguration(profile: profile) { variables[$0] }
    }

    @Test("The environment comes before the files, unless the user names a profile")
    func order() throws {
        let environment = ["AWS_ACCESS_KEY_ID": "e", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": ""]
        #expect(try configuration().credentials().accessKey == "default-key")
        #expect(try configuration().credentials().secretKey == "default/secret+=")
        #expect(try configuration(environment).credentials().accessKey == "e")
        #expect(try configuration(environment).credentials().sessionToken == nil)
        #expect(try configuration(profile: "work", environment).credentials().sessionToken == "work-token")
        #expect(try configuration(["AWS_PROFILE": "roles"]).credentials().accessKey == "config-key")
    }

    @Test("Settings come from variables and from the profile")
    func settings() {
        #expect(configuration().value("AWS_REGION", setting: "region") == "eu-west-1")
        let work = configuration(["AWS_PROFILE": "work"])
        #expect(work.value("AWS_REGION", setting: "region") == "eu-north-1")
        #expect(work.value("AWS_ENDPOINT_URL_S3", setting: "endpoint_url") == "https://store.example.net")
        #expect(work.value("X", setting: "addressing_style") == nil)
        #expect(configuration(["AWS_REGION": "x"]).value("AWS_REGION", setting: "region") == "x")
    }

    @Test("Missing keys and profiles are reported")
    func missing() throws {
        let empty = ["HOME": "/nonexistent"]
        let error = #expect(throws: S3Error.self) { try AWSConfiguration { empty[$0] }.credentials() }
        #expect(error?.reason(bucket: "b").hasPrefix("there are no credentials") == true)
        let unknown = #expect(throws: S3Error.self) { try configuration(profile: "other").credentials() }
        #expect(unknown?.reason(bucket: "b") == "there is no profile 'other'")
    }
}

@Suite("S3Location", .timeLimit(.minutes(10))) struct S3LocationTests {
    @Test(
        "Locations have a bucket and a prefix",
        arguments: [
            ("s3://photos", "s3://photos"), ("s3://photos/", "s3://photos"), ("S3://photos/a//b/", "s3://photos/a/b"),
            ("s3://my.photos-2/ü b", "s3://my.photos-2/ü b"),
        ])
    func parsing(_ text: String, location: String) {
        #expect(S3Location(text)?.description == location)
    }

    @Test(
        "Other texts are not locations",
        arguments: ["photos", "s3:/photos", "s3://", "s3:///a", "s3://ab", "s3://Photos/a", "s3://-ab/"])
    func invalid(_ text: String) { #expect(S3Location(text) == nil) }
}

@Suite("ReplyElement", .timeLimit(.minutes(10))) struct ReplyElementTests {
    private func parse(_ text: String) -> ReplyElement? { ReplyElement(parsing: Array(text.utf8), limit: 1000) }

    @Test("Elements have names, texts and children")
    func elements() {
        let reply = parse("<?xml version=\"1.0\"?>\n<A x=\"/\"><!-- c --><B>a&amp;&#x41;&#13;</B><C/><B>2</B></A>\n")
        #expect(reply?.name == "A" && reply?["B"] == "a&A\r" && reply?.all("B").count == 2 && reply?["C"] == "")
    }

    @Test(
        "Malformed and oversized documents are refused",
        arguments: [
            "", "text", "<A>", "<A></B>", "<A/><B/>", "<A>&unknown;</A>", "<A", "<!DOCTYPE A><A/>", "<A><!-- </A>",
            "</A>",
            String(repeating: "<A>", count: 20) + String(repeating: "</A>", count: 20),
            "<A>" + String(repeating: "x", count: 1000) + "</A>",
        ])
    func malformed(_ text: String) { #expect(parse(text) == nil) }
}
