// SPDX-License-Identifier: MIT

import Foundation
import SluiceOrigin
import TestSupport
import Testing

extension CommandTests {
    @Suite("Resuming downloads", .timeLimit(.minutes(10))) struct ResumeTests {
        /// Serves one photo with a strong ETag.
        private struct Service: OriginService {
            let photo: [UInt8]

            func reply(to request: OriginRequest) -> OriginReply {
                OriginReply(type: "image/jpeg", photo, headers: [OriginHeader("ETag", "\"v1\"")]).applyingConditions(
                    of: request)
            }
        }

        /// One of the demo's photos, made longer by comments.
        private static func photo() throws -> [UInt8] {
            let files = try DemoMirror.undisturbed.get().tree.files
            let name = try #require(files.keys.sorted().first { $0.hasPrefix("originals/") && $0.hasSuffix(".jpg") })
            let bytes = try [UInt8](#require(files[name]))
            let comment = [0xFF, 0xFE, 0xEA, 0x62] + [UInt8](repeating: 0x78, count: 60_000)
            return bytes.prefix(2) + Array(repeatElement(comment, count: 4).joined()) + bytes.dropFirst(2)
        }

        @Test("The next run resumes a killed run's partial file and does not request its bytes again")
        func killed() async throws {
            let folder = try TemporaryFolder()
            let photo = try Self.photo()
            var options = OriginOptions()
            // Slow enough that a note is written before the download is complete.
            options.faults = [OriginFaultRule(.drip(bytes: 2000, every: .milliseconds(50)), .first(1))]
            let origin = try OriginServer(Service(photo: photo), options: options)
            defer { origin.stop() }
            let address = "\(origin.address)/photo.jpg"
            try Data("\(address)\n".utf8).write(to: folder.url.appending(path: "list.txt"))
            let arguments = [
                "mirror", "list.txt", "--out", "out", "--sizes", "none", "--allow-private", "--no-robots", "--json",
                "--allow-port", "\(origin.port)",
            ]
            let running = try Running(arguments, folder: folder.url)
            let note = folder.path("out/.sluice/partial/1.note")
            try await wait(for: "the note") { FileManager.default.fileExists(atPath: note) }
            running.send(SIGKILL)
            #expect(try running.end().code == -SIGKILL)
            let left = try folder.bytes(of: "out/.sluice/partial/1").count
            let result = try Binary.run(arguments, folder: folder.url)
            #expect(result.code == 0, "\(result)")
            let requests = origin.requests
            let range = try #require(requests.last?.header("Range"))
            let from = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
            #expect(requests.count == 2 && requests[0].header("Range") == nil)
            #expect(from >= 32 << 10 && from <= left && requests[1].header("If-Range") == "\"v1\"")
            let tree = try Tree(of: folder.path("out"))
            #expect(tree.files.filter { $0.key.hasPrefix("originals/") }.map(\.value) == [Data(photo)])
            #expect(!tree.names.contains { $0.hasPrefix(".sluice/partial/") })
        }
    }
}
