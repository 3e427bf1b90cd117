// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

/// Rows G4, G6 and G7 of the fault table for a whole run.
///
/// `Scripts/soak` makes it long.
@Suite("Soak of a mirror", .enabled(if: LongTests.areWanted, "\(LongTests.advice)"), .timeLimit(.minutes(120)))
struct MirrorSoakTests {
    /// The resources of a process at one moment.
    private struct Usage {
        var kilobytes = 0
        var threads = 0
        var descriptors = 0

        init?(of process: Int32) {
            let place = "/proc/\(process)"
            guard let status = try? String(contentsOfFile: "\(place)/status", encoding: .utf8),
                let files = try? FileManager.default.contentsOfDirectory(atPath: "\(place)/fd")
            else { return nil }
            for line in status.split(separator: "\n") {
                let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
                if words.first == "VmRSS" { kilobytes = Int(words[1]) ?? 0 }
                if words.first == "Threads" { threads = Int(words[1]) ?? 0 }
            }
            descriptors = files.count
        }
    }

    /// Serves one photo under all paths, and samples the client's usage while it does.
    private final class Service: OriginService {
        private struct State {
            var process: Int32?
            var requests = 0
            var samples: [Usage] = []
        }

        private let photo: [UInt8]
        private let interval: Int
        private let state = Locked(State())

        init(interval: Int) throws {
            self.interval = interval
            let pixels = (0..<96 * 64 * 4).map { UInt8($0 % 251) }
            photo = try ImageEncoder(.jpeg).encode(pixels, width: 96, height: 64)
        }

        var process: Int32? {
            get { state.withLock { $0.process } }
            set { state.withLock { $0.process = newValue } }
        }

        var samples: [Usage] { state.withLock { $0.samples } }

        func reply(to request: OriginRequest) -> OriginReply {
            let process = state.withLock { state in
                state.requests += 1
                return state.requests.isMultiple(of: interval) ? state.process : nil
            }
            if let usage = process.flatMap(Usage.init) { state.withLock { $0.samples.append(usage) } }
            // With the tag, an interrupted transfer can be resumed.
            return OriginReply(type: "image/jpeg", photo, headers: [OriginHeader("ETag", "\"\(request.path)\"")])
        }
    }

    private static let now = [OriginHeader("Retry-After", "0")]
    private static let faults: [OriginFault] = [
        .status(403), .status(404), .status(408), .status(429, headers: now), .status(500), .status(503, headers: now),
        .status(206), .redirect(to: "/elsewhere"), .redirect(to: "file:///etc/passwd"),
        .redirect(to: "http://10.0.0.1/x"), .hang, .stall(afterBytes: 100),
        .drip(bytes: 20, every: .milliseconds(200)), .cut(afterBytes: 0), .cut(afterBytes: 100), .close, .html, .empty,
        .contentType("text/plain"), .endless, .late(.milliseconds(50)),
    ]

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test("A long run with every fault uses constant resources, and each photo has exactly one result")
    func soak() throws {
        let count = Self.number("SLUICE_SOAK_ITEMS") ?? 400
        let seconds = Self.number("SLUICE_SOAK_SECONDS") ?? 300
        let folder = TemporaryFolder()
        let service = try Service(interval: max(1, count / 100))
        var options = OriginOptions()
        options.faults = Self.faults.enumerated().map { number, fault in
            OriginFaultRule(fault, .fraction(0.01, seed: UInt64(number)))
        }
        let origin = try OriginServer(service, options: options)
        let list = (1...count).map { "\(origin.address)/\($0).jpg\n" }.joined()
        try folder.write(list, to: "list.txt")
        let words = [
            "mirror", "list.txt", "--out", "m", "--sizes", "32", "--quiet", "--no-robots", "--allow-port",
            "\(origin.port)", "--allow-address", "127.0.0.1", "-j", "64", "--per-host", "64", "--retries", "1",
            "--first-byte-timeout", "2s", "--timeout", "5s", "--max-bytes", "1M", "--max-time", "\(seconds)s",
            "--no-share",
        ]
        let run = try Running(words, folder: folder.url, limit: Double(seconds) + 300)
        service.process = run.identifier
        let result = try run.end()
        // Some photos failed, or the time ended.
        #expect([3, 8].contains(result.code) && result.out.isEmpty, "\(result)")
        let states = try checkResults(of: count, in: folder, isWhole: result.code == 3)
        checkUsage(service.samples)
        // Only a long run is asked for its figures.
        if Self.number("SLUICE_SOAK_ITEMS") != nil { printSummary(states, service.samples) }
        let verified = try Binary.run(["verify", "m"], folder: folder.url)
        #expect(verified.code == 0 && verified.out.isEmpty, "\(verified.err)")
    }

    /// Checks the manifest, the report and the files, and returns the number of photos in each state.
    private func checkResults(
        of count: Int, in folder: TemporaryFolder, isWhole: Bool
    ) throws -> [String: Int] {
        var states: [String: Int] = [:]
        var seqs: Set<Int> = []
        let manifest = try folder.text("m/manifest.jsonl")
        for line in manifest.split(separator: "\n") {
            let item = try RunEvent(line)
            #expect(seqs.insert(item.seq).inserted, "photo \(item.seq) has two results")
            states[item[text: "state"] ?? "none", default: 0] += 1
            #expect(item[text: "cause"] != "internal" && item[text: "cause"] != "decoder-crashed", "\(line)")
        }
        let report = try RunEvent(
            folder.text("m/report.json"))
        #expect(states["done"] == report[number: "done"] && states["failed"] == report[number: "failed"], "\(states)")
        #expect(isWhole ? seqs == Set(1...count) : !seqs.isEmpty)
        if isWhole { #expect((states["done"] ?? 0) + (states["failed"] ?? 0) == count, "\(states)") }
        let originals = folder.names().count { $0.hasPrefix("m/originals/") && $0.hasSuffix(".jpg") }
        #expect(originals == states["done"])
        return states
    }

    private func printSummary(_ states: [String: Int], _ samples: [Usage]) {
        func range(_ value: KeyPath<Usage, Int>) -> String {
            let values = samples.map { $0[keyPath: value] }
            return "\(values.min() ?? 0) to \(values.max() ?? 0)"
        }
        let results = states.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("soak: photos: \(results)")
        print(
            "soak: \(samples.count) samples: \(range(\.kilobytes)) KB of memory, \(range(\.threads)) threads,",
            "\(range(\.descriptors)) open files")
    }

    /// Compares the second quarter of the samples with the last one.
    private func checkUsage(_ samples: [Usage]) {
        guard samples.count >= 8 else { return }
        let early = samples[(samples.count / 4)..<(samples.count / 2)]
        let late = samples.suffix(samples.count / 4)
        func most(_ part: some Sequence<Usage>, _ value: KeyPath<Usage, Int>) -> Int {
            part.map { $0[keyPath: value] }.max() ?? 0
        }
        let memory = (most(early, \.kilobytes), most(late, \.kilobytes))
        #expect(memory.1 <= memory.0 * 5 / 4 + (16 << 10), "resident memory: \(memory) KB")
        let threads = (most(early, \.threads), most(late, \.threads))
        #expect(threads.1 <= threads.0 + 16, "threads: \(threads)")
        // Connections and open photos vary with the transfers in flight.
        let descriptors = (most(early, \.descriptors), most(late, \.descriptors))
        #expect(descriptors.1 <= descriptors.0 + 64, "open files: \(descriptors)")
    }
}

/// Row G6 of the fault table: a run's memory does not grow with its length.
@Suite("Long runs", .enabled(if: LongTests.areWanted, "\(LongTests.advice)"), .timeLimit(.minutes(10)))
struct LongRunTests {
    private let folder = TemporaryFolder()

    /// Returns a run's peak memory for `count` photos whose addresses are all refused: each still gets a receipt.
    private func peak(of count: Int) throws -> Int {
        let lines = (0..<count).map { "http://10.0.0.\($0 % 250)/\($0).jpg\n" }.joined()
        try folder.write(lines, to: "\(count).txt")
        let words = [
            "mirror", folder.path("\(count).txt"), "--out", folder.path("\(count)"), "--no-gallery", "--no-robots",
            "--max-fail", "100%", "--quiet",
        ]
        #expect(try Binary.run(words).code == 3)
        let report = try Data(contentsOf: folder.url.appending(path: "\(count)/report.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
        #expect(object["failed"] as? Int == count)
        return try #require((object["cost"] as? [String: Any])?["peak_memory"] as? Int)
    }

    @Test("Five times as many photos take at most 20 % more memory")
    func memory() throws {
        let (short, long) = (try peak(of: 4_000), try peak(of: 20_000))
        #expect(Double(long) <= 1.2 * Double(short), "\(short) and \(long) bytes")
    }
}
