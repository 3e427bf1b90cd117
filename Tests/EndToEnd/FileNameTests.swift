// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// How `--name` names files on the disk.
@Suite("File names on the command line", .timeLimit(.minutes(10))) struct FileNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mirror(_ count: Int, _ name: String) throws -> Binary.Result {
        let words = ["--pages=1", "--per-page=\(count)", "--variant=thumb", "--sizes=64", "--json", "-o", "m"]
        return try Binary.run(["mirror", "demo", "--name", name] + words, folder: folder.url)
    }

    private func files(_ part: String) throws -> [String] {
        try Tree(of: folder.path("m/\(part)")).names
    }

    @Test("Originals and thumbnails have the same names, and keep them when the template changes")
    func template() throws {
        #expect(try mirror(3, "{author}/{seq:03}-{slug}.{ext}").code == 0)
        let names = try files("originals")
        #expect(
            names.count == 3 && names.allSatisfy { $0.wholeMatch(of: /[A-Z][^\/]+\/00[123]-[a-z0-9-]+\.jpg/) != nil })
        #expect(try files("thumbs/64") == names)
        let again = try mirror(4, "{id}")
        #expect(try RunEvent.all(in: again.out).started == [4])
        let more = try files("originals")
        #expect(Set(names).isSubset(of: more) && more.count == 4)
        #expect(try files("thumbs/64") == more)
        #expect(try Binary.run(["verify", "m"], folder: folder.url).code == 0)
    }

    @Test("A recreated ledger knows the names, and no new photo overwrites another's file")
    func rebuilt() throws {
        #expect(try mirror(3, "photo.{ext}").code == 0)
        let names = try files("originals")
        #expect(names.count == 3 && names.contains("photo.jpg"))
        try FileManager.default.removeItem(atPath: folder.path("m/.sluice/ledger.sqlite"))
        #expect(try Binary.run(["gallery", "m", "--rebuild"], folder: folder.url).code == 0)
        #expect(try mirror(6, "photo.{ext}").code == 0)
        let more = try files("originals")
        #expect(more.count == 6 && Set(names).isSubset(of: more))
        #expect(try Binary.run(["verify", "m", "--deep"], folder: folder.url).code == 0)
    }

    @Test("An invalid template is refused with a reason before anything is created")
    func refusal() throws {
        let result = try mirror(1, "../{id}")
        #expect(
            result.code == 2
                && result.err.hasPrefix("sluice: invalid file name template '../{id}': a path component is empty"))
        #expect(try mirror(1, "{sequence}").err.contains("the fields are {seq} {id}"))
        #expect(folder.names() == [])
    }
}
