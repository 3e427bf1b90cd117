// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceTransfer

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
        let folder = try TemporaryFolder()
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
