// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Workers that are killed at any moment: before their greeting, while idle and while they decode.
@Suite("Deaths of workers", .timeLimit(.minutes(60)), .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
struct WorkerDeathTests {
    private static let photos = 60
    /// The number of workers to kill; 10,000 take about twenty minutes.
    private static let deaths = ProcessInfo.processInfo.environment["SLUICE_WORKER_DEATHS"].flatMap { Int($0) } ?? 100

    private let folder = TemporaryFolder()
    private let codec: BadCodec

    /// Makes photos that abort the main process if they are decoded there.
    init() throws {
        codec = try #require(BadCodec.shared)
        for number in 1...Self.photos {
            let picture = try BadCodec.picture(width: BadCodec.Act.refusesRun.rawValue, shade: number)
            try folder.write(picture, to: "in/\(number).jpg")
        }
    }

    /// Starts a run that decodes all photos, because no run before it made thumbnails of that size.
    private func start(size: Int, _ more: String...) throws -> Running {
        let words = ["mirror", "in", "--out", "m", "--sizes", "\(size)", "--durability", "none", "--quiet"]
        return try Running(words + more, environment: codec.environment, folder: folder.url)
    }

    @Test("Control: the photos abort a run that decodes them in the main process")
    func control() throws {
        #expect(try start(size: 32, "--no-isolate").end().code == -SIGABRT)
    }

    /// Once a worker had died before its greeting, photos were decoded in the main process.
    @Test("However many workers are killed at whatever moment, nothing is decoded in the main process")
    func deaths() throws {
        var killed = 0
        for round in 0..<Self.deaths where killed < Self.deaths {
            let run = try start(size: 16 + round)
            killed += killWorkers(of: run)
            // The run rightly stops if none of its first workers lives long enough to start.
            let result = try run.end()
            #expect([0, 3, 5].contains(result.code), "round \(round): \(result)")
        }
        #expect(killed >= Self.deaths)
        // Their deaths were no fault of the photos.
        try start(size: 15).end().expect()
        let thumbs = folder.names().count { $0.hasPrefix("m/thumbs/15/") && $0.hasSuffix(".jpg") }
        #expect(thumbs == Self.photos)
    }

    /// Kills each worker at a random moment until the run ends, and returns their number.
    private func killWorkers(of run: Running) -> Int {
        var moments: [Int32: ContinuousClock.Instant] = [:]
        var killed = 0
        while ChildProcess(run.identifier) != nil {
            for worker in ChildProcess.all(of: run.identifier) where worker.state != "Z" {
                // Half of them die about the time of their greeting, which takes longer on a busy machine.
                let life = Bool.random() ? 0.05 : 0.5
                let moment = moments[worker.number] ?? .now + .seconds(Double.random(in: 0...life))
                moments[worker.number] = moment
                guard moment <= .now, kill(worker.number, SIGKILL) == 0 else { continue }
                killed += 1
                moments[worker.number] = nil
            }
        }
        return killed
    }
}
