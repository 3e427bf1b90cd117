// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests the behaviour when the system or a library lacks a protection: see Documentation/security.md.
@Suite("Missing protections", .timeLimit(.minutes(10))) struct MissingProtectionTests {
    private static let library = Result { try PreloadedLibrary("lacking_system.c") }
    private static let straceLack: Comment = "strace is not installed or not permitted"

    private let folder = TemporaryFolder()

    init() throws {
        try folder.makeFolder("in")
    }

    private func add(_ name: String, width: Int = 96) throws {
        try folder.write(BadCodec.picture(width: width), to: "in/\(name).jpg")
    }

    /// Mirrors the folder while the system call always fails.
    private func mirror(failing call: String, with error: String, _ more: String...) throws -> Binary.Result {
        try Strace.run(
            ["mirror", "in", "--out", "m", "--sizes", "32", "--json"] + more, failing: call, with: error, when: "1+",
            environment: BadCodec.shared?.environment ?? [:], folder: folder.url)
    }

    /// Such a run decoded all photos and only printed a note.
    @Test(
        "Without an essential protection of decoders a run stops and names the option",
        .enabled(if: Strace.isPermitted, straceLack),
        arguments: [
            ("seccomp", "ENOSYS", "a system call filter (seccomp)"),
            ("prlimit64", "EPERM", "limits on memory and files"),
        ])
    func weakSandbox(call: String, error: String, name: String) throws {
        try add("photo")
        try mirror(failing: call, with: error).expect(5, err: "cannot give decode workers \(name)", "--weak-sandbox")
        #expect(folder.names().allSatisfy { !$0.hasPrefix("m/thumbs/32/") })
        let accepted = try mirror(failing: call, with: error, "--weak-sandbox")
        let events = try RunEvent.all(in: accepted.out)
        #expect(accepted.code == 0 && events.ended("done") == [1], "\(accepted)")
        let notes = events.filter { $0.name == "note" }.compactMap { $0[text: "text"] }
        #expect(notes == ["decode workers run without \(name)"])
    }

    @Test(
        "Without Landlock a note is printed, and the system call filter alone prevents every escape",
        .enabled(if: Strace.isPermitted && BadCodec.shared != nil, "there is no strace or no C compiler"))
    func noLandlock() throws {
        for act in BadCodec.Act.escapes { try add("\(act)", width: act.rawValue) }
        let result = try mirror(failing: "landlock_create_ruleset", with: "ENOSYS")
        let events = try RunEvent.all(in: result.out)
        #expect(result.code == 0 && events.ended("done").count == BadCodec.Act.escapes.count, "\(result)")
        let notes = events.filter { $0.name == "note" }.compactMap { $0[text: "text"] }
        #expect(notes == ["decode workers run without Landlock"])
    }

    @Test(
        "A decoder whose processor time cannot be limited is killed at its deadline",
        .enabled(if: Strace.isPermitted && BadCodec.shared != nil, "there is no strace or no C compiler"))
    func noProcessorLimit() throws {
        try add("loops", width: BadCodec.Act.loops.rawValue)
        let result = try mirror(failing: "prlimit64", with: "EPERM", "--weak-sandbox", "--decode-timeout", "2s")
        let ended = try RunEvent.all(in: result.out).filter { $0.name == "item-ended" }
        #expect(result.code == 3 && ended.map { $0[text: "cause"] } == ["decode-limit"], "\(result)")
    }

    @Test(
        "A folder that cannot be flushed does not stop a run",
        .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
    func unflushableFolder() throws {
        try add("photo")
        var environment = try Self.library.get().environment
        environment["UNFLUSHABLE_FOLDERS"] = "yes"
        let words = ["mirror", "in", "--out", "m", "--sizes", "32", "--quiet"]
        try Running(words, environment: environment, folder: folder.url).end().expect()
    }

    @Test(
        "A parent of the output folder that cannot be flushed does not stop a run",
        .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
    func unreadableParent() throws {
        try add("photo")
        var environment = try Self.library.get().environment
        environment["UNREADABLE_FOLDER"] = "parent"
        let words = ["mirror", "in", "--out", "parent/m", "--sizes", "32", "--quiet"]
        let result = try Running(words, environment: environment, folder: folder.url).end()
        #expect(result.code == 0 && folder.names().contains("parent/m/manifest.jsonl"), "\(result)")
    }

    @Test(
        "Where syncfs reports no write errors, each file is flushed by itself",
        .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"), arguments: [("5.4.0-150-generic", 0), ("5.8.0", 5)])
    func oldKernel(release: String, code: Int32) throws {
        try add("photo")
        var environment = try Self.library.get().environment
        // The call fails, so that a run that uses it fails, too.
        (environment["KERNEL_RELEASE"], environment["FAILING_SYNCFS"]) = (release, "yes")
        let words = ["mirror", "in", "--out", "m", "--sizes", "32", "--quiet"]
        try Running(words, environment: environment, folder: folder.url).end().expect(code)
    }

    @Test("A file system without locks stops commands that write", .enabled(if: Strace.isPermitted, straceLack))
    func noLocks() throws {
        try add("photo")
        try mirror(failing: "flock", with: "ENOLCK").expect(5, err: "cannot write to 'm'")
    }

    @Test(
        "Without hard links and shared blocks, identical photos are separate files",
        .enabled(if: Strace.isPermitted, straceLack))
    func noLinks() throws {
        for name in ["one", "two"] { try add(name) }
        try mirror(failing: "linkat,ioctl", with: "EOPNOTSUPP").expect()
        let originals = folder.names().filter { $0.hasPrefix("m/originals/") && $0.hasSuffix(".jpg") }
        let numbers = try originals.map { name in
            try FileManager.default.attributesOfItem(atPath: folder.path(name))[.systemFileNumber] as? Int
        }
        #expect(originals.count == 2 && Set(numbers).count == 2)
    }

    /// A taken name is reported first, so the second case also stands for a merge that was interrupted.
    @Test(
        "Without hard links, merging copies the files", .enabled(if: Strace.isPermitted, straceLack),
        arguments: ["EPERM", "EEXIST"])
    func mergeWithoutLinks(error: String) throws {
        for name in ["one", "two"] { try add(name, width: name == "one" ? 96 : 80) }
        for words in [["plan", "in", "--shards", "1", "--sizes", "32"], ["work", "p", "--shard", "0"]] {
            try Running(words + ["--out", words[0] == "plan" ? "p" : "m"], folder: folder.url).end().expect()
        }
        try Strace.run(
            ["merge", "p", "--out", "m"], failing: "linkat", with: error, when: "1+", folder: folder.url
        ).expect()
        try Running(["verify", "m", "--deep"], folder: folder.url).end().expect()
        #expect(folder.names().filter { $0.hasPrefix("m/originals/") && $0.hasSuffix(".jpg") }.count == 2)
    }

    /// CURLOPT_PROTOCOLS_STR, CURLOPT_PROTOCOLS, CURLOPT_OPENSOCKETFUNCTION and CURLOPT_RESOLVE.
    @Test(
        "A run does not start if libcurl refuses an option that the address guard needs",
        .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"), arguments: [10318, 20163, 10203])
    func refusedOption(number: Int) throws {
        let server = try RawServer(["/list": [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]])
        var environment = try Self.library.get().environment
        let words = ["mirror", server.url("/list"), "--out", "m"]
        environment["REFUSED_OPTION"] = "\(number)"
        try Running(words, environment: environment, folder: folder.url).end().expect(5, err: "this libcurl refuses")
        #expect(server.requests.isEmpty)
    }
}
