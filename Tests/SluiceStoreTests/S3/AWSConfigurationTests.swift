// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

@Suite("AWSConfiguration", .timeLimit(.minutes(10))) struct AWSConfigurationTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: home.path(".aws"), withIntermediateDirectories: true)
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
