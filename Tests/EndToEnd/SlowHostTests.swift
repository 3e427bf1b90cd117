// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Checks of photos on hosts that take too long to answer; `Transcripts/drift.txt` has the others.
@Suite("Slow hosts of drift and recheck", .timeLimit(.minutes(10))) struct SlowHostTests {
    private let place = TemporaryFolder()

    /// A photo that took too long was requested four times.
    @Test("A photo that takes too long is asked for once")
    func timeout() throws {
        let pictures = try DemoPictures(1, in: place)
        let slow: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .hang]
        let server = try RawServer(sequences: [DemoPictures.path(0): [pictures.reply(0), slow, slow, slow, slow]])
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)"]
        try place.write(server.url(DemoPictures.path(0)), to: "list.txt")
        try Binary.run(["mirror", "list.txt", "-o", "m", "--sizes", "none"] + network, folder: place.url).require()
        let result = try Binary.run(["drift", "m", "--timeout", "1s"] + network, folder: place.url)
        #expect(result.code == 3 && result.out.hasPrefix("failed       "), "\(result)")
        #expect(result.out.contains("(timeout: ") && server.requests.count == 2, "\(result)")
    }

    /// Each of the slow photos took the whole time limit, so a host with many of them held up the check for hours.
    @Test("A host whose photos take too long is not asked for all of them", arguments: ["drift", "recheck"])
    func slowHost(command: String) throws {
        let pictures = try DemoPictures(12, in: place)
        let slow: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .hang]
        var replies: [String: [[RawServer.Step]]] = [:]
        for number in 0..<12 {
            replies[DemoPictures.path(number)] = [pictures.reply(number), number == 0 ? pictures.reply(0) : slow]
        }
        let other = ["/a.jpg": [pictures.reply(0)]]
        let (server, neighbour) = try RawServer.neighbours(replies, other)
        defer {
            server.stop()
            neighbour.stop()
        }
        let addresses = (0..<12).map { server.url(DemoPictures.path($0)) } + [neighbour.url("/a.jpg")]
        try place.write(addresses.joined(separator: "\n"), to: "list.txt")
        let network = [
            "--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--per-host", "1", "--retries", "0",
        ]
        try Binary.run(["mirror", "list.txt", "-o", "m", "--sizes", "none"] + network, folder: place.url).require()
        let result = try Binary.run([command, "m", "--timeout", "1s"] + network, folder: place.url)
        let lines = result.out.split(separator: "\n")
        #expect(result.code == 3 && lines.count == 11 && lines.allSatisfy { $0.hasPrefix("failed ") }, "\(result)")
        #expect(server.requests.count == 12 + 5, "one photo that answers, and four that take all their time")
        let refused = "(timeout: 127.0.0.1: not requested after failed requests of "
        #expect(lines.suffix(7).allSatisfy { $0.contains(refused) }, "\(result.out)")
        #expect(neighbour.requests.count == 2)
    }
}
