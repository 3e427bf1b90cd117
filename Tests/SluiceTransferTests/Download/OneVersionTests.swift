// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// A downloaded file must be one version that the server has, whatever the server sends.
@Suite("One version", .timeLimit(.minutes(10))) struct OneVersionTests {
    /// The bytes of two versions were joined if the server ignored `If-Range` and omitted the tag.
    @Test("A rest without the validator is not joined", arguments: ["tag", "date"])
    func unprovenRest(kind: String) async throws {
        let validator =
            kind == "tag"
            ? "ETag: \"A\"\r\n"
            : "Last-Modified: Mon, 02 Mar 2026 12:00:00 GMT\r\nDate: Mon, 02 Mar 2026 13:00:00 GMT\r\n"
        let cut = "HTTP/1.1 200 OK\r\n\(validator)Content-Length: 6\r\n\r\naaa"
        let rest = "HTTP/1.1 206 Rest\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\nbbb"
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nbbbbbb"
        let server = try RawServer(sequences: ["/x": [[.text(cut)], [.text(rest)], [.text(whole)]]])
        let folder = TemporaryFolder()
        let partial = try PartialFile("f", in: Folder(folder.path))
        _ = try await transfers(retries: 1).download(
            Request(server.url("/x")), into: partial, token: CancellationToken())
        #expect(try folder.bytes(of: "f") == Array("bbbbbb".utf8))
        #expect(server.requests.map { $0.contains("Range: bytes=3-\r\nIf-Range") } == [false, true, false])
    }

    @Test("Whatever a server does, a downloaded file is one version", arguments: 1...4)
    func anyReply(seed: UInt64) async throws {
        let random = Locked(SplitMix64(seed: seed))
        let rests = Locked(0)
        let server = try RawServer([
            "/x": [
                .reply { head in
                    let reply = random.withLock { RandomReply(to: head, &$0) }
                    if reply.isRest { rests.withLock { $0 += 1 } }
                    return reply.bytes
                }
            ]
        ])
        let folder = TemporaryFolder()
        let files = try Folder(folder.path)
        let transfers = transfers(retries: 2)
        var complete = 0
        for _ in 0..<60 {
            let partial = try PartialFile("f", in: files)
            let result = try? await transfers.download(
                Request(server.url("/x")), into: partial, token: CancellationToken())
            guard case .complete(let response) = result else { continue }
            let bytes = try folder.bytes(of: "f")
            #expect(RandomReply.versions.contains(bytes), "\(bytes.count) bytes")
            #expect(response.sha256 == sha256(bytes) && response.bytes == bytes.count)
            complete += 1
            try partial.remove()
        }
        #expect(complete > 20 && rests.withLock(\.self) > 5)
    }
}

/// A random reply to a request, with the bytes of one of several versions.
///
/// A strong tag and a date always belong to the version of the body. They may be missing, weak or sent twice, and the
/// reply may ignore the request's conditions and range.
private struct RandomReply {
    static let versions: [[UInt8]] = (0..<6).map { version in
        // Several versions have the same length.
        (0..<(6000 + version / 4 * 100)).map { UInt8(truncatingIfNeeded: $0 &* (2 * version + 3) + version) }
    }

    let bytes: [UInt8]
    /// Whether the reply is the requested rest of the version that the client has.
    private(set) var isRest = false

    init(to head: String, _ random: inout SplitMix64) {
        let version = Int.random(in: 0..<Self.versions.count, using: &random)
        var whole = Self.versions[version]
        let start = head.firstMatch(of: /Range: bytes=([0-9]+)-/).flatMap { Int($0.1) }
        var status = "200 OK"
        var fields = Self.validators(of: version, &random)
        if let start {
            let asked = (0..<Self.versions.count).first { head.contains("If-Range: \(Self.tag($0))") } ?? version
            switch Int.random(in: 0..<10, using: &random) {
            case 0: break
            case 1: (status, whole) = ("416 No", [])
            default:
                isRest = Bool.random(using: &random) && start < Self.versions[asked].count
                if isRest {
                    whole = Self.versions[asked]
                    fields = "ETag: \(Self.tag(asked))\r\n"
                }
                let first = isRest || Bool.random(using: &random) ? min(start, whole.count - 1) : 0
                let last = isRest || Bool.random(using: &random) ? whole.count - 1 : whole.count - 2
                let total = isRest || Bool.random(using: &random) ? "\(whole.count)" : "*"
                status = "206 Part"
                fields += "Content-Range: bytes \(first)-\(max(first, last))/\(total)\r\n"
                whole = Array(whole[first...max(first, last)])
            }
        }
        bytes = Self.message(status, fields, whole, &random)
    }

    private static func tag(_ version: Int) -> String { "\"v\(version)\"" }

    private static func validators(of version: Int, _ random: inout SplitMix64) -> String {
        let date = "Last-Modified: Mon, 02 Mar 2026 12:00:0\(version) GMT\r\n"
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: ""
        case 1: "ETag: W/\(tag(version))\r\n"
        case 2: "ETag: \(tag(version))\r\nETag: \(tag((version + 1) % versions.count))\r\n"
        case 3, 4: date + "Date: Mon, 02 Mar 2026 13:00:00 GMT\r\n"
        default: "ETag: \(tag(version))\r\n" + (Bool.random(using: &random) ? date : "")
        }
    }

    /// A message with a length or in chunks, which ends too early in half of all cases.
    private static func message(
        _ status: String, _ fields: String, _ body: [UInt8], _ random: inout SplitMix64
    ) -> [UInt8] {
        let isCut = Bool.random(using: &random) && !body.isEmpty
        let sent = body.prefix(isCut ? Int.random(in: 0..<body.count, using: &random) : body.count)
        guard Int.random(in: 0..<4, using: &random) == 0 else {
            return Array("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8) + sent
        }
        let head = "HTTP/1.1 \(status)\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
        let chunk = body.isEmpty ? [] : Array("\(String(body.count, radix: 16))\r\n".utf8) + sent
        return Array(head.utf8) + chunk + (isCut ? [] : Array((body.isEmpty ? "" : "\r\n").utf8) + "0\r\n\r\n".utf8)
    }
}

@Suite("Equivalent addresses", .timeLimit(.minutes(1))) struct EquivalentAddressTests {
    private let addresses = ["http://a.example/\u{E9}.jpg", "http://a.example/e\u{301}.jpg"]

    /// Requests were compared as Unicode compares texts, so the second photo got the bytes of the first.
    @Test("Addresses that are equal in Unicode, but have different bytes, are two downloads")
    func downloads() throws {
        let temporary = TemporaryFolder()
        let folder = try Folder(temporary.path)
        let shared = SharedDownloads()
        let roles = try addresses.enumerated().map { index, address in
            shared.join(Request(address), into: try PartialFile("\(index)", in: folder))
        }
        for role in roles {
            guard case .lead = role else { return #expect(Bool(false), "the second address follows the first") }
        }
        guard case .follow = shared.join(Request(addresses[1]), into: try PartialFile("2", in: folder)) else {
            return #expect(Bool(false), "the same address is loaded twice")
        }
    }

    @Test("Their versions have nothing in common")
    func versions() throws {
        let versions = addresses.map { CachedVersion(from: $0, etag: "\"a\"", lastModified: nil) }
        #expect(versions[0] != versions[1])
        let web = try addresses.map { try #require(WebAddress($0)) }
        #expect(!web[0].hasResource(of: web[1]) && web[0].hasOrigin(of: web[1]))
        #expect(
            try #require(CachedVersion(from: addresses[0], etag: "\"a\"", lastModified: nil)).headers(at: web[1]) == nil
        )
    }
}
