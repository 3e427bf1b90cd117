// SPDX-License-Identifier: MIT

import Foundation
import SluiceOrigin
import Synchronization
import TestSupport
import Testing

extension CommandTests {
    @Suite("diff") struct DiffTests {
        /// Serves photos by their paths; a test may replace them.
        private final class Service: OriginService {
            let photos: Mutex<[String: [UInt8]]>

            init(_ photos: [String: [UInt8]]) { self.photos = Mutex(photos) }

            func reply(to request: OriginRequest) -> OriginReply {
                guard let photo = photos.withLock({ $0[request.path] }) else { return .text("", status: 404) }
                return OriginReply(type: "image/jpeg", photo)
            }
        }

        @Test("diff lists new, changed and gone photos between two runs, and ignores earlier changes")
        func diff() throws {
            let files = try DemoMirror.undisturbed.get().tree.files
            let pictures = files.keys.sorted().filter { $0.hasPrefix("originals/") && $0.hasSuffix(".jpg") }
                .compactMap { files[$0].map { [UInt8]($0) } }
            let names = ["/a", "/b", "/c", "/d"]
            let service = Service(Dictionary(uniqueKeysWithValues: zip(names, pictures)))
            let origin = try OriginServer(service)
            defer { origin.stop() }
            let folder = try TemporaryFolder()
            func run(_ names: [String], _ more: String...) throws {
                let list = names.map { "\(origin.address)\($0)\n" }.joined()
                try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
                let words = [
                    "mirror", "list.txt", "--out", "out", "--sizes", "none", "--allow-private", "--no-robots",
                    "--allow-port", "\(origin.port)",
                ]
                let result = try Binary.run(words + more, folder: folder.url)
                try #require(result.code == 0, "\(result)")
            }
            func diff(_ words: String...) throws -> Binary.Result {
                try Binary.run(["diff", "out"] + words, folder: folder.url)
            }
            try run(["/a", "/b", "/c"])
            service.photos.withLock { $0["/a"] = pictures[10] }
            try run(["/a", "/b", "/d"], "--refresh")
            let kinds = { (text: String) in text.split(separator: "\n").compactMap { $0.split(separator: " ").first } }
            let second = try diff("1", "2")
            #expect(second.code == 0 && kinds(second.out) == ["changed", "gone", "new"], "\(second)")
            #expect(second.err == "1 new, 1 changed, 1 gone\n")
            #expect(kinds(try diff("0", "1").out) == ["new", "new", "new"])
            #expect(try diff("2").out.isEmpty)
            let events = try RunEvent.all(in: diff("1", "2", "--json").out)
            #expect(events.map { $0[text: "kind"] } == ["changed", "gone", "new"])
            #expect(events.map { $0[number: "item"] } == [1, 3, 4])
            let runs = try diff()
            #expect(runs.out.split(separator: "\n").map { $0.prefix(2) } == ["1 ", "2 "])
            let wrong = try diff("7")
            #expect(wrong.code == 2 && wrong.err == "sluice: invalid run '7' for diff: expected a number from 0 to 2\n")
        }
    }
}
