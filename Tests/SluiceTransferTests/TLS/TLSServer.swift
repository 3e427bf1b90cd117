// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport

/// A private certificate authority, its certificates, and servers that use them; made with the `openssl` command.
final class TLSAuthority: Sendable {
    /// The faults that a certificate can have.
    enum Certificate: String, CaseIterable, Sendable {
        case good, wrongName, expired, selfSigned, otherIssuer, clientOnly, otherLevel
    }

    /// The host name of the good certificates.
    static let host = "photos.sluice.test"

    let folder = TemporaryFolder()
    /// The file with the authority's own certificate.
    var file: String { folder.path("ca.pem") }

    /// One authority for all tests, because keys take time to generate.
    static let shared = Result { try TLSAuthority() }

    /// Whether the command is installed.
    static let isPossible = FileManager.default.isExecutableFile(atPath: command)
    private static let command = "/usr/bin/openssl"

    private init() throws {
        for name in ["ca", "other"] {
            try run(
                ["req", "-x509", "-out", "\(name).pem", "-keyout", "\(name).key", "-subj", "/CN=\(name)"] + Self.newKey)
        }
        try run(["req", "-out", "request.pem", "-keyout", "key.pem", "-subj", "/CN=x"] + Self.newKey)
        for certificate in Certificate.allCases { try make(certificate) }
        try publish("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngood", as: "x")
        let down = "http://\(Self.host)/"
        try publish("HTTP/1.1 302 F\r\nLocation: \(down)\r\nContent-Length: 0\r\n\r\n", as: "down")
    }

    /// Makes the servers answer requests for `name` with this response, including its headers.
    private func publish(_ reply: String, as name: String) throws {
        try folder.write(reply, to: name)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]

    private func make(_ certificate: Certificate) throws {
        let name = certificate.rawValue
        let names =
            switch certificate {
            case .wrongName: "other.test"
            case .otherLevel: "*.test"
            default: Self.host
            }
        let usage = certificate == .clientOnly ? "\nextendedKeyUsage=clientAuth" : ""
        try folder.write("subjectAltName=DNS:\(names)\(usage)\n", to: "\(name).ext")
        let issuer = certificate == .otherIssuer ? "other" : "ca"
        let signer =
            certificate == .selfSigned
            ? ["-signkey", "key.pem"] : ["-CA", "\(issuer).pem", "-CAkey", "\(issuer).key", "-CAcreateserial"]
        let words = ["x509", "-req", "-in", "request.pem", "-out", "\(name).pem", "-extfile", "\(name).ext"] + signer
        guard certificate == .expired else { return try run(words + ["-days", "2"]) }
        // OpenSSL 3.4 refuses a negative number of days, and older versions have no options for both dates.
        do { try run(words + ["-days", "-1"]) } catch {
            try run(words + ["-not_before", "20240101000000Z", "-not_after", "20240102000000Z"])
        }
    }

    /// Starts a server with this certificate.
    func server(_ certificate: Certificate, _ more: [String] = []) throws -> TLSServer {
        let words = ["s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate.rawValue).pem", "-key", "key.pem"]
        return try TLSServer(Self.command, words + ["-HTTP"] + more, in: folder.url)
    }

    /// Starts a server whose responses the test writes itself.
    func conversation() throws -> TLSServer {
        try TLSServer(
            Self.command, ["s_server", "-accept", "127.0.0.1:0", "-cert", "good.pem", "-key", "key.pem"],
            in: folder.url)
    }

    private func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.command)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}

/// A TLS server in its own process, which is killed when this object is released.
final class TLSServer: @unchecked Sendable {
    // Sendable because it does not change after the start, and only one task writes and waits. The thread that reads
    // the output shares only `received` with it, which `Locked` protects.
    private let process = Process()
    private let input = Pipe()
    private let received = Locked("")
    /// The port of the server.
    let port: Int

    init(_ command: String, _ arguments: [String], in folder: URL) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: command)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // `ACCEPT 127.0.0.1:39305`
        var text = ""
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        guard let port = line?.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw CocoaError(.fileReadUnknown)
        }
        self.port = port
        // A thread and no `readabilityHandler`, whose dispatch source may outlive the descriptor and crash the tests.
        Thread.detachNewThread { [received] in
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                received.withLock { $0 += String(decoding: data, as: UTF8.self) }
            }
        }
    }

    /// Waits until the server has printed `text`, such as the start of a request, and removes everything up to it.
    func wait(for text: String) async throws {
        try await TestSupport.wait(for: text) {
            received.withLock { received in
                guard let range = received.firstRange(of: text) else { return false }
                received.removeSubrange(..<range.upperBound)
                return true
            }
        }
    }

    /// Sends text over the current connection, in one TLS record.
    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    deinit {
        // The child inherits the test runner's signal mask, which blocks all other signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
