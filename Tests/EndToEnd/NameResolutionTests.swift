// SPDX-License-Identifier: MIT

import Foundation
import SluiceTransfer
import TestSupport
import Testing

/// Name resolution options on the command line.
@Suite("Name resolution on the command line", .timeLimit(.minutes(10))) struct NameResolutionTests {
    private let folder = TemporaryFolder()

    private static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

    private func mirror(_ urls: String..., with words: [String]) throws -> Binary.Result {
        try folder.write(urls.map { "\($0)\n" }.joined(), to: "list.txt")
        let mirror = ["mirror", "list.txt", "--out", "out", "--sizes", "none", "--no-robots", "--json"]
        return try Binary.run(mirror + words, folder: folder.url)
    }

    @Test("--resolve overrides the address of one port, keeps the Host header, and leaves other ports to DNS")
    func resolve() throws {
        let png = try [UInt8](#require(Self.png))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(png.count)\r\n\r\n"
        let server = try RawServer(["/a.png": [.text(head), .raw(png)]])
        let (port, other) = (server.port, server.port ^ 1)
        let ports = ["--allow-port", "\(port)", "--allow-port", "\(other)", "--allow-private", "--retries", "0"]
        // No name server knows a name below .invalid (RFC 6761).
        let urls = ["http://photos.invalid:\(port)/a.png", "http://photos.invalid:\(other)/a.png"]
        let result = try mirror(urls[0], urls[1], with: ports + ["--resolve", "photos.invalid:\(port):127.0.0.1"])
        let events = try RunEvent.all(in: result.out)
        #expect(result.code == 3 && events.ended("done") == [1] && events.ended("failed") == [2], "\(result)")
        #expect(server.requests.count == 1 && server.requests[0].contains("\r\nHost: photos.invalid:\(port)\r\n"))
        #expect(events.contains { $0.name == "item-ended" && $0[text: "cause"] == "dns" })
    }

    @Test(
        "--dns-server is refused with a message where libcurl cannot use other name servers",
        .disabled(if: Transfers.canChooseNameServers, "this libcurl has c-ares"))
    func nameServer() throws {
        let result = try mirror("http://photos.invalid/a.png", with: ["--dns-server", "127.0.0.1"])
        #expect(result.code == 2 && result.out.isEmpty)
        let words =
            "cannot use other DNS servers: this libcurl has no c-ares and supports only the system's DNS servers"
        #expect(result.err == "sluice: \(words)\n")
        #expect(!folder.contains("out"))
    }
}

/// Row B3 of the fault table: a proxy hides the addresses from the guard, so only the user may choose one.
@Suite("Proxies in the environment", .timeLimit(.minutes(10))) struct EnvironmentProxyTests {
    private static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

    private func picture() throws -> [RawServer.Step] {
        let bytes = try [UInt8](#require(Self.png))
        return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .raw(bytes)]
    }

    @Test("They are used only if the user asks for it, and a note reports either", arguments: [nil, "none", "env"])
    func environment(choice: String?) throws {
        let folder = TemporaryFolder()
        let server = try RawServer(["/a.png": picture()])
        let url = server.url("/a.png")
        let proxy = try RawServer([url: picture()], host: "127.0.0.2")
        try folder.write("\(url)\n", to: "list.txt")
        let words = [
            "mirror", "list.txt", "--out", "out", "--sizes", "none", "--no-robots", "--allow-private", "--allow-port",
            "\(server.port)",
        ]
        let environment = ["http_proxy": proxy.url(""), "all_proxy": proxy.url("")]
        let result = try Running(
            words + (choice.map { ["--proxy", $0] } ?? []), environment: environment, folder: folder.url
        ).end().expect()
        #expect(proxy.connections == (choice == "env" ? 1 : 0) && server.connections == (choice == "env" ? 0 : 1))
        #expect(result.err.contains("the proxies in the environment are not used") == (choice == nil))
        #expect(result.err.contains("transfers use the proxy 127.0.0.2") == (choice == "env"))
    }
}

/// A libcurl with another TLS library than OpenSSL: see Documentation/security.md.
@Suite(
    "TLS library", .timeLimit(.minutes(10)), .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"),
    .enabled(if: TLSTools.areInstalled, "there is no openssl or no python3"))
struct TLSLibraryTests {
    private static let library = Result { try PreloadedLibrary("lacking_system.c") }

    /// Prints its port, and a line for each connection; serves a picture as often as a connection asks for it.
    private static let server = """
        import http.server, ssl
        picture = open("picture.jpg", "rb").read()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def setup(self):
                super().setup()
                print("connection", flush=True)
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(picture)))
                self.end_headers()
                self.wfile.write(picture)
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("certificate.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// Its buffers cannot be examined, so a reused connection could deliver bytes that follow an earlier response.
    @Test(
        "HTTP/1 connections are reused over TLS only if libcurl uses OpenSSL", arguments: [nil, "GnuTLS/3.7.9"])
    func reuse(tlsLibrary: String?) throws {
        var environment = try Self.library.get().environment
        environment["TLS_LIBRARY"] = tlsLibrary
        let (result, connections) = try mirror(["--ca-file", "certificate.pem"], environment: environment)
        #expect(result.code == 0, "\(result)")
        #expect(connections == (tlsLibrary == nil ? 1 : Self.photos))
    }

    /// `SSL_CERT_FILE` was documented and ignored.
    @Test(
        "The certificates of the environment are trusted, unless an option names others",
        arguments: [
            ([:], [], 3), (["SSL_CERT_FILE": "certificate.pem"], [], 0), (["SSL_CERT_DIR": "."], [], 0),
            (["SSL_CERT_FILE": "other.pem"], [], 3), (["SSL_CERT_FILE": "missing.pem"], [], 2),
            (["SSL_CERT_FILE": "certificate.pem"], ["--ca-file", "other.pem"], 3),
        ] as [([String: String], [String], Int32)])
    func trust(environment: [String: String], words: [String], code: Int32) throws {
        let (result, _) = try mirror(words, environment: environment)
        #expect(result.code == code, "\(result)")
        if code == 2 { #expect(result.err.contains("'missing.pem' of SSL_CERT_FILE")) }
    }

    private static let photos = 6

    /// Mirrors photos of a server whose certificate is in `certificate.pem`, and in a file named by its hash.
    ///
    /// Returns the result and the number of connections.
    private func mirror(
        _ options: [String], environment: [String: String]
    ) throws -> (result: Binary.Result, connections: Int) {
        let folder = TemporaryFolder()
        try folder.write(BadCodec.picture(width: 96), to: "picture.jpg")
        let request = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=photos", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out",
            "certificate.pem",
        ]
        try #require(try Running(request, program: TLSTools.openssl, folder: folder.url).end().code == 0)
        let hash = try Running(
            ["x509", "-hash", "-noout", "-in", "certificate.pem"], program: TLSTools.openssl, folder: folder.url
        ).end().out.trimmingCharacters(in: .whitespacesAndNewlines)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("\(hash).0"), withDestinationPath: "certificate.pem")
        let other = request.map { ["key.pem": "other.key", "certificate.pem": "other.pem"][$0] ?? $0 }
        try #require(try Running(other, program: TLSTools.openssl, folder: folder.url).end().code == 0)
        let server = try Running(["-c", Self.server], program: TLSTools.python, folder: folder.url)
        let port = try #require(try server.line())
        let list = (1...Self.photos).map { "https://127.0.0.1:\(port)/\($0).jpg" }.joined(separator: "\n")
        try folder.write(list, to: "list.txt")
        let words = [
            "mirror", "list.txt", "--out", "m", "--sizes", "none", "--no-robots", "--concurrency", "1", "--http", "1.1",
            "--retries", "0", "--allow-private", "--allow-port", port,
        ]
        let result = try Running(words + options, environment: environment, folder: folder.url).end()
        server.send(SIGKILL)
        let connections = try server.end().out.split(separator: "\n").count { $0 == "connection" }
        return (result, connections)
    }
}

/// The programs that make a certificate and serve files with it.
private enum TLSTools {
    static let openssl = "/usr/bin/openssl"
    static let python = "/usr/bin/python3"
    static let areInstalled = [openssl, python].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
}
