// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The certificates of the authorities that HTTPS connections trust: a file, a folder of files named by hashes, or
/// both.
///
/// The first of these decides: the user's file, the variables `SSL_CERT_FILE` and `SSL_CERT_DIR`, the places where
/// distributions keep them, libcurl's own default. All parts of Sluice ask here, so that they agree.
public struct TrustedCertificates: Sendable, Hashable {
    /// The places where distributions keep one file with all certificates.
    package static let knownFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem", "/usr/local/etc/openssl@3/cert.pem",
    ]
    /// The certificates without a choice of the user's, as the environment was at the first use.
    public static let system = TrustedCertificates(file: nil)

    /// The file; `nil` for none.
    package let file: String?
    /// The folder; `nil` for none.
    package let folder: String?
    /// The variable that named ``file``; `nil` if the user's option or a known place did.
    package let variable: String?
    /// Whether the user or the environment chose, so that a file that cannot be read is an error.
    package let isChosen: Bool

    /// Whether libcurl uses the places that it was built with.
    var isDefault: Bool { file == nil && folder == nil }

    /// Finds the certificates; `file` is the user's choice.
    public init(file: String?) {
        self.init(
            file: file, environment: { unsafe getenv($0).map { unsafe String(cString: $0) } },
            known: Self.knownFiles)
    }

    init(file: String?, environment: (String) -> String?, known: [String]) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let file {
            (self.file, folder, variable, isChosen) = (file, nil, nil, true)
        } else if let named = value("SSL_CERT_FILE") {
            (self.file, folder, variable, isChosen) = (named, value("SSL_CERT_DIR"), "SSL_CERT_FILE", true)
        } else if let named = value("SSL_CERT_DIR") {
            (self.file, folder, variable, isChosen) = (nil, named, "SSL_CERT_DIR", true)
        } else {
            let found = known.first { unsafe access($0, R_OK) == 0 }
            (self.file, folder, variable, isChosen) = (found, nil, nil, false)
        }
    }
}
