// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

/// Runs the commands in `Transcripts/`, and compares what they print with what the files say.
///
/// A line of shell follows two blanks and a dollar sign; `>` in place of the dollar sign continues it. Its output is
/// indented, too: first standard output, then standard error with an exclamation mark, and the exit code in brackets
/// unless that is 0. `[..]` stands for any text. Other lines are comments. `SLUICE_UPDATE_GOLDENS=1` stores the current
/// output, and keeps lines with `[..]` that match it.
///
/// All lines of a file run in one folder of their own, which is FOLDER in the output. ``Site`` serves its subfolder
/// `site` at `$URL` and `$URL2`, and the options in `$ALLOW` permit a run to use these addresses.
@Suite("Transcripts", .timeLimit(.minutes(20))) struct TranscriptTests {
    private static let isUpdate = ProcessInfo.processInfo.environment["SLUICE_UPDATE_GOLDENS"] == "1"
    private static let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path))?.sorted() ?? []

    /// `photos N` adds the first N pictures of the demo to the site, as `0.jpg`, `1.jpg`, and so on; `list 0 1` prints
    /// the addresses of two.
    private static let functions = """
        photos() {
            sluice mirror demo --pages=1 --per-page=$1 --variant=thumb --sizes=64 --format=jpeg -o .demo 2>/dev/null ||
                return
            mkdir -p site
            number=0
            for file in .demo/thumbs/64/*; do cp "$file" site/$number.jpg; number=$((number + 1)); done
            rm -r .demo
        }
        list() { for number; do echo "$URL/$number.jpg"; done; }
        """

    private let folder = TemporaryFolder()
    private let home = TemporaryFolder()
    private let site: Site

    init() throws { site = try Site(folder.url) }

    /// Returns the lines that a command prints.
    private func output(of command: String) throws -> [String] {
        let ports = site.servers.map { "--allow-port=\($0.port)" }.joined(separator: " ")
        let environment = [
            "PATH": "\(URL(filePath: Binary.path).deletingLastPathComponent().path):/usr/bin:/bin", "HOME": home.path,
            "URL": site.servers[0].address, "URL2": site.servers[1].address, "PORT": "\(site.servers[0].port)",
            "PORT2": "\(site.servers[1].port)", "ALLOW": "--allow-address=127.0.0.0/8 \(ports) --no-robots",
        ]
        let words = ["-c", "\(Self.functions)\n\(command)"]
        let result = try Running(words, program: "/bin/sh", environment: environment, folder: folder.url).end()
        #expect(result.isPlain, "\(command)")
        func lines(_ text: String, _ mark: String) -> [String] {
            var lines = site.masked(text).components(separatedBy: "\n")
            while lines.last == "" { lines.removeLast() }
            return lines.filter { !Self.isProgress($0) }.map { $0.isEmpty ? "" : "  \(mark)\($0)" }
        }
        return lines(result.out, "") + lines(result.err, "! ") + (result.code == 0 ? [] : ["  [\(result.code)]"])
    }

    /// Whether a run printed the line because it took more than five seconds.
    private static func isProgress(_ line: String) -> Bool {
        line.contains(
            /^(waiting for |searching |[0-9]+ (of (about )?[0-9]+ )?photos?, (page [0-9]|.*limited by: |.*in flight))/)
    }

    /// Whether a line is the expected one, in which `[..]` stands for any text.
    private static func matches(_ line: String, _ expected: String) -> Bool {
        let parts = expected.components(separatedBy: "[..]")
        guard parts.count > 1, line.hasPrefix(parts[0]) else { return line == expected }
        var rest = line.dropFirst(parts[0].count)
        for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }

    @Test("Each command prints what its transcript says", arguments: names)
    func transcript(name: String) throws {
        let file = Self.place.appending(path: name)
        var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")[...]
        var found: [String] = []
        while let line = lines.popFirst() {
            found.append(line)
            guard line.hasPrefix("  $ ") else { continue }
            let more = lines.prefix { $0.hasPrefix("  > ") }
            lines = lines.dropFirst(more.count)
            found += more
            let command = ([line] + more).map { $0.dropFirst(4) }.joined(separator: "\n")
            var expected = lines.prefix { $0.isEmpty || $0.hasPrefix("  ") && !$0.hasPrefix("  $ ") }
            while expected.last == "" { expected.removeLast() }
            lines = lines.dropFirst(expected.count)
            let output = try output(of: command)
            let isSame = output.count == expected.count && zip(output, expected).allSatisfy(Self.matches)
            guard isSame || Self.isUpdate else {
                Issue.record("\(name):\(found.count): \(command)\n\(output.joined(separator: "\n"))")
                return
            }
            found += zip(output, expected).map { Self.matches($0, $1) ? $1 : $0 } + output.dropFirst(expected.count)
        }
        #expect(found.contains { $0.hasPrefix("  $ ") }, "\(name)")
        if Self.isUpdate { try Data(found.joined(separator: "\n").utf8).write(to: file) }
    }

    @Test("There are transcripts") func existence() { #expect(!Self.names.isEmpty) }
}

/// Serves a folder's subfolder `site` at two loopback addresses, and appends a line for each request to `requests`.
///
/// A file's name is a path with its query. The file with the suffix `.head`, if there is one, has the status code in
/// its first line and then headers; only a status of 200 has a body.
private final class Site: Sendable {
    let servers: [OriginServer]
    private let folder: URL

    init(_ folder: URL) throws {
        self.folder = folder
        let log = Locked(folder.appending(path: "requests"))
        let service = ScriptedService { request in
            log.withLock { Self.record(request, in: $0) }
            return Self.reply(to: request.target, in: folder.appending(path: "site"))
        }
        servers = try ["127.0.0.1", "127.0.0.2"].map { host in
            var options = OriginOptions()
            options.host = host
            return try OriginServer(service, options: options)
        }
    }

    /// Replaces the parts that differ between two runs of a transcript.
    func masked(_ text: String) -> String {
        let names = ["/private\(folder.path)": "FOLDER", servers[0].address: "URL", servers[1].address: "URL2"]
        let text = names.reduce(text) { $0.replacing($1.key, with: $1.value) }.replacing(folder.path, with: "FOLDER")
        let ports = ["\(servers[0].port)": "PORT", "\(servers[1].port)": "PORT2"]
        return text.replacing(/\b[0-9]{4,5}\b/) { ports[String($0.0)] ?? String($0.0) }
    }

    private static func record(_ request: OriginRequest, in file: URL) {
        let common: Set<String> = ["accept", "accept-encoding", "connection", "host", "user-agent"]
        let headers = request.headers.filter { !common.contains($0.name.lowercased()) }.map {
            " \($0.name): \($0.value)"
        }
        let old = (try? Data(contentsOf: file)) ?? Data()
        try? (old + Data("\(request.method) \(request.target)\(headers.joined())\n".utf8)).write(to: file)
    }

    private static func reply(to target: String, in folder: URL) -> OriginReply {
        let name = target == "/" ? "/index.html" : target.removingPercentEncoding ?? target
        let head = try? String(contentsOf: folder.appending(path: name + ".head"), encoding: .utf8)
        let lines = head?.split(separator: "\n") ?? []
        let headers = lines.dropFirst().map { $0.components(separatedBy: ": ") }.map { OriginHeader($0[0], $0[1]) }
        let body = try? Data(contentsOf: folder.appending(path: name))
        let status = lines.first.flatMap { Int($0) } ?? (body == nil ? 404 : 200)
        return OriginReply(status: status, headers: headers, body: status == 200 ? Array(body ?? Data()) : [])
    }
}
