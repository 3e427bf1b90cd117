// SPDX-License-Identifier: MIT

import Foundation

/// A mirror that is made, killed and made whole again, with an origin of its own; one run at a time.
final class Rig: Sendable {
    let sluice: String
    let folder: String
    let origin: Origin
    /// What an undisturbed run leaves.
    let wanted: Tree
    /// How long an undisturbed run takes.
    let duration: Double
    /// What the mirror was before a refresh.
    private let before: Tree?
    private let options: [String]
    private var out: String { "\(folder)/events" }

    /// Makes the origin, which serves the pictures, and lets one run end in peace.
    ///
    /// With `older` pictures there is a mirror of those, and what is killed is a run that refreshes it.
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
            try Tool.must(Self.mirror(sluice, folder, origin.port, options, into: "\(folder)/before"))
            before = try Tree(of: "\(folder)/before/mirror")
            try FileManager.default.copyItem(atPath: "\(folder)/before", toPath: "\(folder)/wanted")
            origin.serve(Self.files(pictures))
        }
        let start = Date()
        try Tool.must(
            Self.mirror(sluice, folder, origin.port, options, into: "\(folder)/wanted")
                + (older.isEmpty ? [] : [Self.refresh]))
        duration = Date().timeIntervalSince(start)
        wanted = try Tree(of: "\(folder)/wanted/mirror")
    }

    private static let refresh = "--refresh"

    private static func files(_ pictures: [Data]) -> [String: Data] {
        Dictionary(uniqueKeysWithValues: pictures.indices.map { ("/\($0)", pictures[$0]) })
    }

    /// The command that is killed.
    func command(into path: String) -> [String] { mirror(into: path) + (before == nil ? [] : [Self.refresh]) }

    /// The command that makes the mirror, in a folder below `path`; its gallery is called as the folder is.
    private func mirror(into path: String) -> [String] { Self.mirror(sluice, folder, origin.port, options, into: path) }

    private static func mirror(
        _ sluice: String, _ folder: String, _ port: UInt16, _ options: [String], into path: String
    ) -> [String] {
        [
            sluice, "mirror", "\(folder)/list.txt", "--sizes", "64", "--json", "--allow-private", "--allow-port",
            "\(port)", "--out", "\(path)/mirror",
        ] + options
    }

    /// A folder for the next point: an empty one, or one with the mirror to refresh.
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

    /// Runs the mirror's command, or one that runs it; one that does not end is ended, with 124 or 137.
    func run(_ words: [String], killedAfter seconds: Double? = nil) throws -> (code: Int32, events: Events) {
        // Whoever is killed from here must be our own child.
        let limit = seconds == nil ? ["timeout", "--kill-after=5", "60", "env"] : []
        let code = try Tool.run(limit + words, out: out, killedAfter: seconds)
        return (code, try Events(inFile: out))
    }

    /// What is wrong with a mirror behind a kill, before anything is mended.
    func faults(at path: String) throws -> [String] {
        let tree = try Tree(of: "\(path)/mirror")
        var faults = tree.pictures.filter { ![wanted.files[$0.key], before?.files[$0.key]].contains($0.value) }.map {
            "I1: \($0.key) is not whole"
        }
        guard let ledger = try LedgerFile(of: "\(path)/mirror", copyingTo: folder) else { return faults }
        faults += ledger.faults.map { "I3: \($0)" }
        faults += ledger.files.filter { tree.files[$0.key]?.count != $0.value }
            .map { "I1: \($0.key) is done in the ledger, and not there" }
        return faults
    }

    /// What is wrong with a mirror once the next run has mended it; `told` is what the killed run had told.
    func faultsMended(at path: String, told: Events) throws -> [String] {
        _ = origin.takeLog()
        // Of a photo that was being replaced the ledger still says that the old one is done.
        let done = before == nil ? try LedgerFile(of: "\(path)/mirror", copyingTo: folder)?.done ?? [] : []
        var (code, events) = try run(mirror(into: path))
        // Two kills met the decode of one photo: that is for a run that is asked for it.
        if events.isQuarantined { (code, events) = try run(mirror(into: path) + ["--retry-quarantined"]) }
        var faults = code == 0 ? [] : ["I8: the next run ended with \(code) (\(events.causes.sorted()))"]
        let fetched = Set(origin.takeLog().map { origin.address(of: $0) })
        if before != nil { faults += try faultsRefreshed(at: path) }
        let found = try Tree(of: "\(path)/mirror")
        let (visible, undisturbed) = (found.visible, wanted.visible)
        faults += told.safe.subtracting(events.ended["kept"] ?? []).map { "I2: \($0) was done, and is not kept" }
        faults += told.safe.union(done).intersection(fetched).map { "I6: \($0) was done, and is fetched again" }
        faults +=
            try LedgerFile(of: "\(path)/mirror", copyingTo: folder)?.faults.map { "I3: \($0)" } ?? ["I3: no ledger"]
        faults += Set(visible.keys).union(undisturbed.keys).filter { visible[$0] != undisturbed[$0] }
            .map { "I4: \($0) differs from an undisturbed run's" }
        faults += found.leftovers.map { "I5: \($0) is left" }
        let beside = try FileManager.default.contentsOfDirectory(atPath: path).filter {
            !["mirror", "lost+found"].contains($0)
        }
        faults += beside.map { "I7: \($0) lies outside of the mirror" }
        return faults.sorted()
    }

    /// What is wrong with a mirror that a plain run has mended of a killed refresh; it is refreshed then.
    ///
    /// Some photos are old, some new: the ledger must know which.
    private func faultsRefreshed(at path: String) throws -> [String] {
        let verdict = try run([sluice, "verify", "\(path)/mirror"]).code
        let code = try run(command(into: path)).code
        return (verdict == 0 ? [] : ["I1: `sluice verify` ended with \(verdict)"])
            + (code == 0 ? [] : ["I8: the next refresh ended with \(code)"])
    }
}
