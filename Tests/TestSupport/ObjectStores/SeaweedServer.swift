// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Tools that tests of object stores need; `Scripts/setup --tests` installs them.
public enum ObjectStoreTools {
    /// Whether a missing tool fails the tests, as in CI, instead of skipping them.
    public static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_OBJECT_STORE"] == "1"

    /// Whether tests that need SeaweedFS run.
    public static let hasSeaweed = isRequired || FileManager.default.isExecutableFile(atPath: path(of: "weed"))
    /// Whether tests that need rclone run.
    public static let hasRclone = isRequired || FileManager.default.isExecutableFile(atPath: path(of: "rclone"))

    /// Returns a port that is free now.
    public static func freePort() throws -> Int { try LocalServer.freePorts(1)[0] }

    /// Whether a server listens on a port.
    public static func isListening(on port: Int) -> Bool { LocalServer.canConnect(to: port) }

    static func path(of tool: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../.build/object-stores/\(tool)").standardized.path
    }
}

/// A local object store that checks signatures, checksums and conditions: SeaweedFS.
///
/// All tests of the process share it.
public final class SeaweedServer: Sendable {
    /// The keys that may do everything.
    public static let owner = (key: "sluice-owner", secret: "secret/with+odd=signs")
    /// The keys that may only read.
    public static let reader = (key: "sluice-reader", secret: "reader-secret")
    /// The bucket that can be read without keys.
    public static let publicBucket = "test-public"

    /// The address of the service.
    public let endpoint: String
    private let server: LocalServer

    private static let starting = Task { try await SeaweedServer() }

    /// The running server; started when a test asks for it first.
    public static func running() async throws -> SeaweedServer { try await starting.value }

    private init() async throws {
        let folder = TemporaryFolder()
        let identities: [[String: Any]] = [(Self.owner, ["Admin"]), (Self.reader, ["Read", "List"])].map {
            keys, actions in
            [
                "name": keys.key, "credentials": [["accessKey": keys.key, "secretKey": keys.secret]],
                "actions": actions,
            ]
        }
        let anyone: [String: Any] = [
            "name": "anonymous", "actions": ["Read:\(Self.publicBucket)", "List:\(Self.publicBucket)"],
        ]
        let configuration = try JSONSerialization.data(withJSONObject: ["identities": identities + [anyone]])
        try folder.write(configuration, to: "s3.json")
        let ports = try LocalServer.freePorts(8)
        let data = folder.path("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        var arguments = [
            "server", "-dir=\(data)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64", "-volume.max=1000", "-s3.config=\(folder.path("s3.json"))",
            "-filer.localSocket=\(folder.path("filer"))", "-s3.port.iceberg=0", "-s3.port.lance=0",
        ]
        for (index, name) in ["master", "volume", "filer", "s3"].enumerated() {
            arguments += ["-\(name).port=\(ports[2 * index])", "-\(name).port.grpc=\(ports[2 * index + 1])"]
        }
        server = try LocalServer("weed", arguments, in: folder)
        endpoint = "http://127.0.0.1:\(ports[6])"
        try await server.waitUntilListening(on: ports[6])
        // Before it has volumes, uploads fail.
        try await wait(for: "SeaweedFS's volumes") {
            LocalServer.reply(to: "GET /dir/assign HTTP/1.0\r\n\r\n", on: ports[0]).contains("\"fid\"")
        }
    }
}

/// An object store that ignores conditions: rclone.
public final class RcloneServer: Sendable {
    /// The address of the service.
    public let endpoint: String
    private let server: LocalServer

    /// Starts a server with one bucket.
    public init(bucket: String) async throws {
        let folder = TemporaryFolder()
        let data = folder.path("data")
        try FileManager.default.createDirectory(atPath: "\(data)/\(bucket)", withIntermediateDirectories: true)
        let port = try LocalServer.freePorts(1)[0]
        let keys = "\(SeaweedServer.owner.key),\(SeaweedServer.owner.secret)"
        server = try LocalServer(
            "rclone", ["serve", "s3", data, "--addr", "127.0.0.1:\(port)", "--auth-key", keys], in: folder)
        endpoint = "http://127.0.0.1:\(port)"
        try await server.waitUntilListening(on: port)
    }
}

/// A server process that ends with its owner, or with the test process.
final class LocalServer: Sendable {
    private let folder: TemporaryFolder
    private let input: FileHandle

    init(_ tool: String, _ arguments: [String], in folder: TemporaryFolder) throws {
        self.folder = folder
        let pipe = Pipe()
        input = pipe.fileHandleForWriting
        // No child process may inherit this end, or the server would not end with this process.
        _ = fcntl(input.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // Reading ends when the test process does.
        process.arguments =
            ["-c", "\"$@\" </dev/null >server.log 2>&1 & server=$!; read -r line; kill -9 $server", "sh"]
            + [ObjectStoreTools.path(of: tool)] + arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = pipe.fileHandleForReading
        try process.run()
    }

    deinit { try? input.close() }

    func waitUntilListening(on port: Int) async throws {
        try await wait(for: "a server on port \(port)") { Self.canConnect(to: port) }
    }

    /// Returns ports that are free now; all are held until the last is found, so that they differ.
    ///
    /// They are below those that systems give to connections and to servers without a port of their own. Other tests
    /// would take one of those before the server listens.
    static func freePorts(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        var ports: [Int] = []
        defer { for socket in sockets { close(socket) } }
        while ports.count < count {
            guard sockets.count < 1000 else { throw POSIXError(.EADDRINUSE) }
            let (descriptor, port) = (
                socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), UInt16.random(in: 10_000..<30_000)
            )
            sockets.append(descriptor)
            var address = sockaddr_in(loopback: "127.0.0.1", port: port)
            let isBound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isBound { ports.append(Int(port)) }
        }
        return ports
    }

    /// Sends a request and returns the reply; an empty text if the server does not answer.
    static func reply(to request: String, on port: Int) -> String {
        guard let connection = LoopbackConnection(to: port) else { return "" }
        defer { connection.disconnect() }
        _ = connection.write(request.utf8)
        return String(decoding: connection.read(.max), as: UTF8.self)
    }

    static func canConnect(to port: Int) -> Bool {
        guard let connection = LoopbackConnection(to: port) else { return false }
        connection.disconnect()
        return true
    }
}
