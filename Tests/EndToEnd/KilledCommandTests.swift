// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Interrupts commands of several steps, which the next command that writes to the mirror finishes.
@Suite("Killed commands", .enabled(if: Strace.isPermitted), .timeLimit(.minutes(10)))
struct KilledCommandTests {
    /// A command that withdraws photos of the mirror `k/m`.
    enum Withdrawal: String, CaseIterable, CustomTestStringConvertible {
        case blocklist, skipSimilar, prune, move, recheck

        var testDescription: String { rawValue }
    }

    private let folder = TemporaryFolder()
    private let pictures: DemoPictures
    /// A server that has withdrawn two photos after their download.
    private let server: RawServer

    init() throws {
        let pictures = try DemoPictures(5, in: folder)
        self.pictures = pictures
        server = try RawServer(
            sequences: Dictionary(
                uniqueKeysWithValues: (0..<5).map { number in
                    let later = number % 2 == 1 ? [DemoPictures.reply("410 Gone")] : []
                    return (DemoPictures.path(number), [pictures.reply(number)] + later)
                }))
        try folder.write(DemoPictures.list(5, on: server), to: "list.txt")
        try folder.write([1, 3].map { sha256(pictures.files[$0]) + "\n" }.joined(), to: "block.txt")
    }

    private func addPicture(_ number: Int, as name: String) throws {
        try folder.write(pictures.files[number], to: "in/\(name).jpg")
    }

    private var network: [String] { ["--allow-private", "--no-robots", "--allow-port", "\(server.port)"] }

    private func mirroring(_ more: String...) -> [String] {
        ["mirror", "in", "--out", "k/m", "--no-share", "--sizes", "64"] + more
    }

    private func run(_ words: [String]) throws -> Binary.Result { try Binary.run(words, folder: folder.url) }

    /// Makes the mirror, and returns the command that withdraws photos.
    private func prepare(_ withdrawal: Withdrawal) throws -> [String] {
        for number in 0..<5 { try addPicture(number, as: "\(number)") }
        if withdrawal == .move { for number in [1, 3] { try addPicture(number, as: "\(number)-copy") } }
        let making =
            withdrawal == .recheck
            ? ["mirror", "list.txt", "--out", "k/m", "--sizes", "64"] + network : mirroring()
        try run(making).require()
        switch withdrawal {
        case .blocklist: return mirroring("--blocklist", "block.txt")
        case .skipSimilar:
            for number in [1, 3] { try addPicture(number, as: "\(number)-copy") }
            return mirroring("--skip-similar")
        case .prune:
            for number in [1, 3] { try folder.remove("in/\(number).jpg") }
            return mirroring("--prune", "--prune-limit", "100%")
        case .move: return ["duplicates", "k/m", "--keep", "best", "--move", "k/copies"]
        case .recheck: return ["recheck", "k/m", "--prune", "--prune-limit", "100%"] + network
        }
    }

    /// Replaces a folder by a copy of another one.
    private func replace(_ name: String, by other: String) throws {
        try? folder.remove(name)
        try FileManager.default.copyItem(atPath: folder.path(other), toPath: folder.path(name))
    }

    /// The files of the mirror, and those that were moved.
    private func visible() throws -> Tree {
        try Tree(of: folder.path("k")).filtered { !$0.hasPrefix("m/.sluice/") && !$0.hasPrefix("m/report.") }
    }

    /// The ledger forgot the files of a photo before they were removed, so that they stayed after a kill.
    @Test(
        "After a killed withdrawal and the next command, the mirror is as after an undisturbed one",
        arguments: Withdrawal.allCases)
    func kills(_ withdrawal: Withdrawal) throws {
        let command = try prepare(withdrawal)
        try replace("before", by: "k")
        try run(command).require()
        let wanted = try visible()
        var unfinished = 0
        for (call, step) in [("unlinkat", 1), ("renameat", 3)] {
            for number in stride(from: 1, to: 60, by: step) {
                try replace("k", by: "before")
                let killed = try Strace.run(command, killingAt: call, when: "\(number)", folder: folder.url)
                guard killed.code != 0 else { break }
                // A kill may leave the file of a download without a receipt, which the next run replaces.
                if call == "unlinkat" || withdrawal != .skipSimilar {
                    try replace("killed", by: "k")
                    unfinished += try check(after: "\(call) \(number)")
                    try replace("k", by: "killed")
                }
                let next = try run(command)
                #expect(next.code == 0, "\(call) \(number): \(next)")
                #expect(try visible().differences(to: wanted) == [], "\(call) \(number)")
            }
        }
        #expect(unfinished > 0)
    }

    /// Gallery and manifest went on to show the photos, and the next command counted them as kept.
    @Test("Manifest and gallery of a withdrawal on a full disk are written by the next command of another kind")
    func fullDisk() throws {
        let command = try prepare(.recheck)
        try replace("before", by: "k")
        try run(command).require()
        let wanted = try visible()
        try replace("k", by: "before")
        // Each thread may rename two files: the one that tests the folder, and a manifest.
        let full = try Strace.run(command, failing: "renameat", with: "ENOSPC", when: "3+", folder: folder.url)
        #expect(full.code == 5, "\(full)")
        let verified = try run(["verify", "k/m"])
        #expect(verified.code == 7 && verified.out.hasPrefix("unfinished  manifest.jsonl"), "\(verified)")
        let next = try run(["recheck", "k/m"] + network)
        #expect(next.code == 0 && next.err.hasSuffix("recheck: 3 may be kept\n"), "\(next)")
        #expect(try visible().differences(to: wanted) == [])
    }

    @Test("After a gallery with another title was killed, verify names no file")
    func title() throws {
        _ = try prepare(.blocklist)
        try replace("before", by: "k")
        var kills = 0
        while true {
            try replace("k", by: "before")
            let command = ["gallery", "k/m", "--title", "Lakes"]
            let killed = try Strace.run(command, killingAt: "renameat", when: "\(kills + 1)", folder: folder.url)
            guard killed.code != 0 else { break }
            kills += 1
            let verified = try run(["verify", "k/m"])
            #expect(verified.code == 0 && verified.out.isEmpty, "\(kills): \(verified)")
        }
        #expect(kills > 2)
    }

    /// A repair that fails changes nothing in the ledger, but its gallery shows the progress.
    @Test("After a repair was killed whose gallery showed the progress, verify names no file of it")
    func progress() throws {
        let isShown = DispatchSemaphore(value: 0)
        let (page, copy) = (folder.path("k/m/index.html"), folder.path("index.html"))
        let untilShown = RawServer.Step.until {
            if FileManager.default.contentsEqual(atPath: page, andPath: copy) { return false }
            isShown.signal()
            return true
        }
        let server = try RawServer(sequences: [
            DemoPictures.path(0): [pictures.reply(0), DemoPictures.reply("410 Gone")],
            DemoPictures.path(1): [pictures.reply(1), [untilShown, .hang]],
        ])
        try folder.write(DemoPictures.list(2, on: server), to: "two.txt")
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)"]
        try run(["mirror", "two.txt", "--out", "k/m", "--sizes", "64"] + network).require()
        try FileManager.default.copyItem(atPath: page, toPath: copy)
        let originals = try visible().names.filter { $0.hasPrefix("m/originals/") }
        for name in originals { try folder.remove("k/\(name)") }
        let repair = try Running(["verify", "k/m", "--repair"] + network, folder: folder.url)
        try #require(isShown.wait(timeout: .now() + 400) == .success)
        repair.send(SIGKILL)
        _ = try repair.end()
        let verified = try run(["verify", "k/m"])
        #expect(verified.out == originals.map { "missing     \($0.dropFirst(2))\n" }.joined(), "\(verified)")
    }

    /// Between two of its steps there was no ledger.
    @Test("A killed rebuild is finished by a command of another kind")
    func rebuild() throws {
        _ = try prepare(.blocklist)
        let wanted = try visible()
        try replace("before", by: "k")
        var rebuilt = 0
        for number in 1...60 {
            try replace("k", by: "before")
            let command = ["gallery", "k/m", "--rebuild", "--force"]
            let killed = try Strace.run(command, killingAt: "renameat", when: "\(number)", folder: folder.url)
            guard killed.code != 0 else { break }
            if folder.contains("k/m/.sluice/ledger.sqlite-rebuilt") { rebuilt += 1 }
            let next = try run(["verify", "k/m", "--repair"])
            #expect(next.code == 0, "\(number): \(next)")
            #expect(try visible().differences(to: wanted) == [], "\(number)")
        }
        #expect(rebuilt > 0)
    }

    /// The manifest still listed the photos as done, and the rebuilt ledger let the next run download them.
    @Test("A rebuild after a killed withdrawal keeps the photos withdrawn")
    func rebuildAfterKill() throws {
        let command = try prepare(.blocklist)
        try replace("before", by: "k")
        // A run removes other files, too.
        let isUnfinished = try (1...9).contains { number in
            try replace("k", by: "before")
            _ = try Strace.run(command, killingAt: "unlinkat", when: "\(number)", folder: folder.url)
            return try run(["verify", "k/m"]).out.hasPrefix("unfinished")
        }
        try #require(isUnfinished)
        let rebuilt = try run(["gallery", "k/m", "--rebuild", "--force"])
        #expect(rebuilt.code == 0 && !rebuilt.err.contains("do not match"), "\(rebuilt)")
        try run(mirroring()).expect()
        let lines = try RunEvent.all(in: visible().text("m/manifest.jsonl"))
        #expect(lines.compactMap { $0[text: "cause"] } == ["blocked", "blocked"])
    }

    /// It stopped the run, and with it the repair of all other photos.
    @Test("A folder in place of a thumbnail fails only its photo, and a withdrawal leaves it")
    func folderInPlace() throws {
        let command = try prepare(.recheck)
        let names = try visible().names.filter { $0.hasPrefix("m/thumbs/") }
        for name in names.prefix(3) { try folder.remove("k/\(name)") }
        let place = "k/\(names[1])"
        try folder.makeFolder(place)
        try run(["verify", "k/m", "--repair"] + network).expect(7, err: "causes      1 policy")
        #expect(try visible().names.filter { $0.hasPrefix("m/thumbs/") } == names.filter { $0 != names[1] })
        #expect(try run(command).code == 0)
        #expect(folder.contains(place))
        let verified = try run(["verify", "k/m"])
        #expect(verified.code == 0 && verified.err.hasSuffix("no faults\n"), "\(verified)")
    }

    /// Checks that another command leaves exactly the files of the photos that the ledger lists as done, and that a
    /// verification before reports if something is missing; returns how many removals were unfinished.
    private func check(after moment: String) throws -> Int {
        let before = try run(["verify", "k/m"])
        let unfinished = before.out.split(separator: "\n").count { $0.hasPrefix("unfinished") }
        #expect(before.code == (unfinished > 0 ? 7 : 0), "\(moment): \(before)")
        let repaired = try run(["verify", "k/m", "--repair"])
        #expect(repaired.code == 0, "\(moment): \(repaired)")
        let verified = try run(["verify", "k/m"])
        #expect(verified.code == 0 && verified.err.hasSuffix("no faults\n"), "\(moment): \(verified)")
        let tree = try visible()
        let listed = try RunEvent.all(in: tree.text("m/manifest.jsonl")).compactMap { $0[text: "file"] }
        #expect(listed.map { "m/\($0)" }.sorted() == tree.names.filter { $0.hasPrefix("m/originals/") }, "\(moment)")
        return unfinished
    }
}
