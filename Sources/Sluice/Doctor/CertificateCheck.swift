// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Whether there are certificates to know https hosts by.
enum CertificateCheck {
    /// Where systems keep them, in one file.
    static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem", "/usr/local/etc/openssl@3/cert.pem",
    ]

    @Sendable static func findings() -> [Finding] {
        // OpenSSL, which libcurl uses, asks this variable first.
        let own = unsafe getenv("SSL_CERT_FILE").map { unsafe String(cString: $0) }
        return [finding(bundles: own.map { [$0] } ?? bundles)]
    }

    static func finding(bundles: [String]) -> Finding {
        for bundle in bundles where holdsCertificate(bundle) {
            return Finding("certificates", .ok, bundle)
        }
        return Finding(
            "certificates", .problem, "none in \(bundles.joined(separator: ", "))",
            advice: "install them (`apt-get install ca-certificates`): without them no https address can be trusted")
    }

    /// Whether the file can be read, and a certificate begins within its first kilobytes.
    private static func holdsCertificate(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return false }
        return String(decoding: bytes[..<count], as: UTF8.self).contains("-----BEGIN ")
    }
}
