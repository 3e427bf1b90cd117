// SPDX-License-Identifier: MIT

import Foundation

/// A mirror and its own web server, for runs that are killed and repaired; one run at a time.
final class Rig: Sendable {
    let sluice: String
    let folder: String
    let origin: Origin
    /// The files after an undisturbed run.
    let wanted: Tree
    /// The duration of an undisturbed run, in seconds.
    let duration: Double
    /// The files before a refresh.
    private let before: Tree?
    private let options: [String]
    private var out: String { "\(folder)/events" }

    /// Starts the web server with the pictures and makes one undisturbed run.
    ///
    /// With `older` pictures, the killed runs refresh a mirror of those.
    init(_ sluice: String, in folder: String, pictures: [Data], older: [Data] = [], options: [String] = []) throws {
        self.sluice = sluice
        self.folder = folder
        self.options = options
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let origin = try Origin(Self.files(older.isEmpty ? pictures : older))
        self.origin = origin
        let list = pictures.indices.map { origin.address(of: "/\($0)") }.joined(separator: "\n")
        try list.write(toFile: "\(folder)/list.txt", atomically: false, encoding: .utf8)
        if older.isEmpty {
            before = nil
        } else {
            try Tool.require(Self.mirror(sluice, folder, origin.port, options, into: "\(folder)/before"))
            before = try Tree(of: "\(folder)/before/mirror")
            try FileManager.default.copyItem(atPath: "\(folder)/before", toPath: "\(folder)/wanted")
            origin.serve(Self.files(pictures))
        }
        let start = Date()
        try Tool.require(
            Self.mirror(sluice, folder, origin.port, options, into: "\(folder)/wanted")
                + (older.isEmpty ? [] : [Self.refresh]))
        duration = Date().timeIntervalSince(start)
        wanted = try Tree(of: "\(folder)/wanted/mirror")
    }

    private static let refresh = "--refresh"

    private static func files(_ pictures: [Data]) -> [String: Data] {
        Dictionary(uniqueKeysWithValues: pictures.indices.map { ("/\($0)", pictures[$0]) })
    }

    /// The command to kill.
    func command(into path: String) -> [String] { mirror(into: path) + (before == nil ? [] : [Self.refresh]) }

    /// The command that makes the mirror in a folder below `path`; the folder's name is the gallery's title.
    private func mirror(into path: String) -> [String] { Self.mirror(sluice, folder, origin.port, options, into: path) }

    private static func mirror(
        _ sluice: String, _ folder: String, _ port: UInt16, _ options: [String], into path: String
    ) -> [String] {
        [
            sluice, "mirror", "\(folder)/list.txt", "--sizes", "64", "--json", "--allow-private", "--allow-port",
            "\(port)", "--out", "\(path)/mirror",
        ] + options
    }

    /// Creates the folder for the next point: empty, or with the mirror to refresh.
    func newPlace() throws -> String {
        let place = "\(folder)/killed"
        if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
        if before != nil {
            try FileManager.default.copyItem(atPath: "\(folder)/before", toPath: place)
            return place
        }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        return place
    }

    /// Runs a command; a command that hangs is killed after 60 seconds, with code 124 or 137.
    func run(_ words: [String], killedAfter seconds: Double? = nil) throws -> (code: Int32, events: Events) {
        // A process to kill must be a direct child, so it runs without `timeout`.
        let limit = seconds == nil ? ["timeout", "--kill-after=5", "60", "env"] : []
        let code = try Tool.run(limit + words, out: out, killedAfter: seconds)
        return (code, try Events(inFile: out))
    }

    /// Returns the faults of a mirror after a kill, before the next run.
    func faults(at path: String) throws -> [String] {
        let tree = try Tree(of: "\(path)/mirror")
        var faults = tree.pictures.filter { ![wanted.files[$0.key], before?.files[$0.key]].contains($0.value) }.map {
            "I1: \($0.key) is incomplete"
        }
        guard let ledger = try LedgerFile(of: "\(path)/mirror", copyingTo: folder) else { return faults }
        faults += ledger.faults.map { "I3: \($0)" }
        faults += ledger.files.filter { tree.files[$0.key]?.count != $0.value }
            .map { "I1: \($0.key) is done in the ledger, but missing" }
        return faults
    }

    /// Runs the mirror again and returns the remaining faults; `reported` are the killed run's events.
    func faultsAfterRepair(at path: String, events reported: Events) throws -> [String] {
        _ = origin.takeLog()
        // While a photo is replaced, the ledger still lists the old one as done.
        let done = before == nil ? try LedgerFile(of: "\(path)/mirror", copyingTo: folder)?.done ?? [] : []
        var (code, events) = try run(mirror(into: path))
        // Two kills hit the decoding of one photo, so it needs an explicit retry.
        if events.isQuarantined { (code, events) = try run(mirror(into: path) + ["--retry-quarantined"]) }
        var faults = code == 0 ? [] : ["I8: the next run exited with code \(code) (\(events.causes.sorted()))"]
        let fetched = Set(origin.takeLog().map { origin.address(of: $0) })
        if before != nil { faults += try faultsRefreshed(at: path) }
        let found = try Tree(of: "\(path)/mirror")
        let (visible, undisturbed) = (found.visible, wanted.visible)
        faults += reported.safe.subtracting(events.ended["kept"] ?? []).map { "I2: \($0) was done, but is not kept" }
        faults += reported.safe.union(done).intersection(fetched).map { "I6: \($0) was done, but is fetched again" }
        faults +=
            try LedgerFile(of: "\(path)/mirror", copyingTo: folder)?.faults.map { "I3: \($0)" } ?? ["I3: no ledger"]
        faults += Set(visible.keys).union(undisturbed.keys).filter { visible[$0] != undisturbed[$0] }
            .map { "I4: \($0) differs from an undisturbed run's" }
        faults += found.leftovers.map { "I5: \($0) remains" }
        let beside = try FileManager.default.contentsOfDirectory(atPath: path).filter {
            !["mirror", "lost+found"].contains($0)
        }
        faults += beside.map { "I7: \($0) is outside the mirror" }
        return faults.sorted()
    }

    /// Verifies a mirror that a plain run has repaired after a killed refresh, then refreshes it and returns the
    /// faults.
    ///
    /// Some photos are old and some are new: the ledger must know which.
    private func faultsRefreshed(at path: String) throws -> [String] {
        let verdict = try run([sluice, "verify", "\(path)/mirror"]).code
        let code = try run(command(into: path)).code
        return (verdict == 0 ? [] : ["I1: `sluice verify` exited with code \(verdict)"])
            + (code == 0 ? [] : ["I8: the next refresh exited with code \(code)"])
    }
}
