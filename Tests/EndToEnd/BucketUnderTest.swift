// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport

@testable import SluiceStore

/// A bucket of a test server, and a folder for local files.
struct BucketUnderTest {
    let folder = TemporaryFolder()
    let name: String
    let endpoint: String
    let client: S3Client

    /// Creates a bucket of SeaweedFS.
    init() async throws {
        try self.init("test-\(UUID().uuidString.lowercased())", at: await SeaweedServer.running().endpoint)
        try client.send(S3Request("PUT")) { (_) throws(S3Error) in }
    }

    init(_ name: String, at endpoint: String) throws {
        self.name = name
        self.endpoint = endpoint
        var options = S3Options()
        options.endpoint = endpoint
        let variables = [
            "AWS_ACCESS_KEY_ID": SeaweedServer.owner.key, "AWS_SECRET_ACCESS_KEY": SeaweedServer.owner.secret,
        ]
        client = try S3Client(
            bucket: name, options: options, transfer: TransferOptions(userAgent: "test"),
            configuration: AWSConfiguration { variables[$0] })
    }

    /// The URL of a prefix.
    func url(_ prefix: String) -> String { "s3://\(name)/\(prefix)" }

    /// Starts the command, or another program, in a home folder without configuration.
    func start(
        _ arguments: [String], program: String = Binary.path, environment: [String: String] = [:],
        keys: (key: String, secret: String)? = SeaweedServer.owner
    ) throws -> Running {
        var environment = environment.merging(["HOME": folder.path, "AWS_ENDPOINT_URL_S3": endpoint]) { $1 }
        environment["AWS_ACCESS_KEY_ID"] = keys?.key
        environment["AWS_SECRET_ACCESS_KEY"] = keys?.secret
        return try Running(arguments, program: program, environment: environment, folder: folder.url)
    }

    func run(
        _ arguments: String..., keys: (key: String, secret: String)? = SeaweedServer.owner
    ) throws -> Binary.Result { try start(arguments, keys: keys).end() }

    func put(_ bytes: Data, to key: String) throws { try client.put([UInt8](bytes), to: key) }

    func contains(_ key: String) throws -> Bool { try client.head(key) != nil }

    /// The keys of all objects below a prefix.
    func names(below prefix: String) throws -> [String] {
        var names: [String] = []
        var listing = S3Listing(client, prefix: prefix + "/")
        while let page = try listing.next() { names += page.objects.map(\.key) }
        return names
    }

    /// The objects below a prefix without the state and the reports, by their names.
    func objects(below prefix: String) throws -> [String: Data] {
        var objects: [String: Data] = [:]
        var listing = S3Listing(client, prefix: prefix + "/")
        while let page = try listing.next() {
            for object in page.objects {
                let name = String(object.key.dropFirst(prefix.count + 1))
                guard !name.hasPrefix(".sluice/"), !name.hasPrefix("report.") else { continue }
                objects[name] = Data(try client.get(object.key, limit: .max))
            }
        }
        return objects
    }
}
