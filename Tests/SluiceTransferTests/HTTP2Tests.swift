// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("HTTP/2", .timeLimit(.minutes(10))) struct HTTP2Tests {
    private func transfers(retries: Int, _ change: (inout TransferOptions) -> Void = { _ in }) -> Transfers {
        Transfers(
            .open(retries: retries) {
                $0.http = .http2
                change(&$0)
            })
    }

    @Test(
        "Transfers from one host share one connection",
        .enabled(if: HTTP2Server.isPossible && TLSAuthority.isPossible, "nghttpd or openssl is not installed"))
    func multiplexing() async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try HTTP2Server(authority)
        let host = TLSAuthority.host
        let address = try #require(NetworkAddress("127.0.0.1"))
        let transfers = transfers(retries: 0) {
            $0.http = .auto
            $0.certificates = TrustedCertificates(file: authority.file)
            $0.resolved["\(host):\(server.port)"] = [address]
        }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await transfers.fetch(Request("https://\(host):\(server.port)/x"), token: CancellationToken())
                        .status
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try server.connections() == 1)
    }

    /// With libcurl 7.88, each request after the first one to a host failed until HTTP/1.1 was tried.
    @Test(
        "Requests without TLS succeed in order, and at the same time",
        .enabled(if: HTTP2Server.isPossible && TLSAuthority.isPossible, "nghttpd or openssl is not installed"))
    func withoutTLS() async throws {
        let server = try HTTP2Server(TLSAuthority.shared.get(), isSecure: false)
        let transfers = transfers(retries: 0)
        let url = "http://127.0.0.1:\(server.port)/x"
        for _ in 0..<3 { #expect(try await transfers.fetch(Request(url), token: CancellationToken()).status == 200) }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<10 {
                group.addTask { try await transfers.fetch(Request(url), token: CancellationToken()).status }
            }
            for try await status in group { #expect(status == 200) }
        }
    }
}

/// A running nghttpd that serves the authority's folder over HTTP/2, and logs its connections.
final class HTTP2Server: @unchecked Sendable {
    // Sendable without a lock: it does not change after the start, and only the last owner ends the process.
    private static let command = "/usr/sbin/nghttpd"
    /// Whether the command is installed.
    static let isPossible = FileManager.default.isExecutableFile(atPath: command)

    private let process: Process
    private let log: URL
    /// The port of the server.
    let port: UInt16

    init(_ authority: TLSAuthority, isSecure: Bool = true) throws {
        (process, log, port) = try Self.start(authority, isSecure, attempts: 5)
    }

    /// Starts the server on a port that was free a moment ago, because nghttpd cannot choose one and report it.
    ///
    /// Tries again if the port has been taken since.
    private static func start(
        _ authority: TLSAuthority, _ isSecure: Bool, attempts: Int
    ) throws -> (Process, URL, UInt16) {
        let finder = try RawServer([:])
        let port = finder.port
        finder.stop()
        let log = authority.folder.url.appending(path: "nghttpd-\(port).log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(filePath: command)
        process.arguments =
            ["-v", "-a", "127.0.0.1", "-d", authority.folder.path]
            + (isSecure ? ["\(port)", "key.pem", "good.pem"] : ["--no-tls", "\(port)"])
        process.currentDirectoryURL = authority.folder.url
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = ContinuousClock.now + .seconds(60)
        while try !String(contentsOf: log, encoding: .utf8).contains("listen") {
            if process.isRunning, ContinuousClock.now < deadline {
                usleep(5000)
                continue
            }
            kill(process.processIdentifier, SIGKILL)
            guard attempts > 1 else { throw CocoaError(.executableLoad) }
            return try start(authority, isSecure, attempts: attempts - 1)
        }
        return (process, log, port)
    }

    /// The number of connections so far.
    func connections() throws -> Int {
        let ids = try text().matches(of: /\[id=(\d+)\]/).map(\.1)
        return Set(ids).count
    }

    private func text() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
