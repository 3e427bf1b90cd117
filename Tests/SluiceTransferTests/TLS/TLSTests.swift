// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite(
    "TLS", .timeLimit(.minutes(10)), .enabled(if: TLSAuthority.isPossible, "openssl is not installed")
) struct TLSTests {
    private func fetch(
        from server: TLSServer, trusting file: String?, host: String = TLSAuthority.host
    ) async throws(Failure) -> Response {
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.retries = 2
        options.retry.baseDelay = .milliseconds(1)
        options.certificates = file.map { TrustedCertificates(file: $0) } ?? .system
        if let address = NetworkAddress("127.0.0.1") { options.resolved["\(host):\(server.port)"] = [address] }
        return try await Transfers(options).fetch(
            Request("https://\(host):\(server.port)/x"), token: CancellationToken())
    }

    @Test("A certificate of the user's authority is trusted for its own name only", arguments: [true, false])
    func good(isItsName: Bool) async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try authority.server(.good)
        guard isItsName else {
            let failure = await #expect(throws: Failure.self) {
                try await fetch(from: server, trusting: authority.file, host: "127.0.0.1")
            }
            #expect(failure?.cause == .tls, "\(String(describing: failure))")
            return
        }
        #expect(try await fetch(from: server, trusting: authority.file).body == Array("good".utf8))
    }

    @Test("A host that offers only TLS 1.0 or 1.1 is refused", arguments: ["-tls1", "-tls1_1", "-tls1_2"])
    func oldVersions(version: String) async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try authority.server(.good, [version, "-cipher", "DEFAULT@SECLEVEL=0"])
        guard version != "-tls1_2" else {
            #expect(try await fetch(from: server, trusting: authority.file).body == Array("good".utf8))
            return
        }
        let failure = await #expect(throws: Failure.self) { try await fetch(from: server, trusting: authority.file) }
        #expect(failure?.cause == .tls, "\(String(describing: failure))")
    }

    @Test("By default only the system's authorities are trusted")
    func system() async throws {
        let authority = try TLSAuthority.shared.get()
        let server = try authority.server(.good)
        let failure = await #expect(throws: Failure.self) { try await fetch(from: server, trusting: nil) }
        #expect(failure?.cause == .tls && failure?.hint == .trustIssuer)
    }
}

@Suite("Trusted certificates", .timeLimit(.minutes(10))) struct TrustedCertificatesTests {
    private func find(
        file: String? = nil, _ environment: [String: String] = [:], known: [String] = []
    ) -> [String?] {
        let found = TrustedCertificates(file: file, environment: { environment[$0] }, known: known)
        return [found.file, found.folder, found.variable]
    }

    /// SSL_CERT_FILE was documented and ignored.
    @Test("The user's file comes first, then the variables, then the known places, and no others are added")
    func order() throws {
        let folder = TemporaryFolder()
        let bundle = folder.path("fedora.crt")
        try Data("-----BEGIN CERTIFICATE-----".utf8).write(to: URL(filePath: bundle))
        let both = ["SSL_CERT_FILE": "/f.pem", "SSL_CERT_DIR": "/d"]
        let known = [folder.path("none"), bundle]
        #expect(find(file: "/own.pem", both, known: known) == ["/own.pem", nil, nil])
        #expect(find(both, known: known) == ["/f.pem", "/d", "SSL_CERT_FILE"])
        #expect(find(["SSL_CERT_DIR": "/d", "SSL_CERT_FILE": ""], known: known) == [nil, "/d", "SSL_CERT_DIR"])
        #expect(find(known: known) == [bundle, nil, nil])
        #expect(find(known: [folder.path("none")]) == [nil, nil, nil])
    }
}
