// SPDX-License-Identifier: MIT

import Foundation

/// A job with its own web server, for runs that are disturbed and then recovered; one run at a time.
final class Rig: Sendable {
    let job: Job
    let folder: String
    /// The duration of an undisturbed run, in seconds.
    let duration: Double
    private let sluice: String
    private let origin: Origin
    private let pictures: [Data]
    /// The inputs of the job.
    private let inputs: Tree
    /// The state before and after an undisturbed run.
    private let before: Snapshot
    private let wanted: Snapshot
    private var out: String { "\(folder)/events" }

    /// Starts the web server, prepares the state to start from and makes one undisturbed run.
    init(_ job: Job, sluice: String, in folder: String, pictures: [Data]) throws {
        (self.job, self.sluice, self.folder, self.pictures) = (job, sluice, folder, pictures)
        try FileManager.default.createDirectory(atPath: "\(folder)/inputs", withIntermediateDirectories: true)
        origin = try Origin([:])
        let workplace = { [origin] (place: String) in
            Workplace(
                sluice: sluice, inputs: "\(folder)/inputs", origin: origin, pictures: pictures,
                place: "\(folder)/\(place)")
        }
        let (first, second) = (workplace("before"), workplace("wanted"))
        try first.offer(pictures)
        try FileManager.default.createDirectory(atPath: first.place, withIntermediateDirectories: true)
        try job.preparation?(first)
        inputs = try Tree(of: first.inputs)
        before = try Snapshot(of: first.place, copyingTo: folder)
        try FileManager.default.copyItem(atPath: first.place, toPath: second.place)
        let start = Date()
        try Tool.require(job.command(second))
        duration = Date().timeIntervalSince(start)
        for command in job.completion(second) { try Tool.require(command) }
        wanted = try Snapshot(of: second.place, copyingTo: folder)
    }

    /// The paths for a run in `place`.
    private func workplace(_ place: String) -> Workplace {
        Workplace(sluice: sluice, inputs: "\(folder)/inputs", origin: origin, pictures: pictures, place: place)
    }

    func command(in place: String) -> [String] { job.command(workplace(place)) }

    /// Creates the folder for the next point, with the state to start from.
    func newPlace() throws -> String {
        let place = "\(folder)/disturbed"
        if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try fill(place)
        return place
    }

    /// Copies the state to start from into an empty folder.
    func fill(_ place: String) throws {
        for name in before.names {
            try FileManager.default.copyItem(atPath: "\(folder)/before/\(name)", toPath: "\(place)/\(name)")
        }
    }

    /// Runs a command; a command that hangs is killed after 60 seconds, with code 124 or 137.
    func run(_ words: [String], killedAfter seconds: Double? = nil) throws -> (code: Int32, events: Events) {
        // A process to kill must be a direct child, so it runs without `timeout`.
        let limit = seconds == nil ? ["timeout", "--kill-after=5", "60", "env"] : []
        let code = try Tool.run(limit + words, out: out, killedAfter: seconds)
        return (code, try Events(inFile: out))
    }

    /// Serves a version of each picture.
    func offer(_ version: (Data) -> Data) throws { try workplace("").offer(pictures.map(version)) }

    /// Returns the faults after a disturbed run.
    func faultsWithoutRecovery(at place: String) throws -> [String] {
        faults(of: try Snapshot(of: place, copyingTo: folder))
    }

    /// Returns the faults after a disturbed run and those that remain after the recovery.
    func faults(at place: String, events: Events) throws -> [String] {
        let disturbed = try Snapshot(of: place, copyingTo: folder)
        if job.runsOnlyOnce, disturbed.beside == wanted.beside { return faults(of: disturbed) }
        return try (faults(of: disturbed) + faultsAfterRecovery(at: place, from: disturbed, events: events)).sorted()
    }

    /// Returns the faults before the recovery.
    private func faults(of found: Snapshot) -> [String] {
        var faults = found.mirror.pictures.filter { name, bytes in
            ![wanted, before].contains { $0.mirror.files[name] == bytes }
        }.map { "I1: \($0.key) is incomplete" }
        guard let ledger = found.ledger else { return faults }
        faults += ledger.faults.map { "I3: \($0)" }
        // The disturbed run may already have removed files that an undisturbed run removes, too.
        let missing = found.damaged.subtracting(before.damaged).filter { wanted.mirror.files[$0] != nil }
        faults += missing.map { "I1: \($0) is done in the ledger, but missing" }
        return faults
    }

    /// Recovers and returns the faults that remain; `reported` are the disturbed run's events.
    private func faultsAfterRecovery(
        at place: String, from disturbed: Snapshot, events reported: Events
    ) throws -> [String] {
        _ = origin.takeLog()
        // A job that begins with a mirror may have to fetch photos that its ledger lists as done.
        let done = before.ledger == nil ? disturbed.ledger?.done ?? [] : []
        let commands = job.recovery(workplace(place))
        let (code, events) = try run(commands[0])
        let fetched = Set(origin.takeLog().map { origin.address(of: $0) })
        var faults = code == 0 ? [] : ["I8: the next run exited with code \(code) (\(events.causes.sorted()))"]
        for command in commands.dropFirst() + job.completion(workplace(place)) {
            let code = try run(command).code
            if code != 0 { faults.append("I8: `sluice \(command[1])` exited with code \(code)") }
        }
        if job.reportsKept {
            faults += reported.safe.subtracting(events.ended["kept"] ?? []).map {
                "I2: \($0) was done, but is not kept"
            }
        }
        faults += reported.safe.union(done).intersection(fetched).map { "I6: \($0) was done, but is fetched again" }
        return try faults + Snapshot(of: place, copyingTo: folder).differences(from: wanted)
            + (Tree(of: "\(folder)/inputs") == inputs ? [] : ["I7: the inputs changed"])
    }
}
