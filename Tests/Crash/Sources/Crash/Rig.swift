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
    private let options: [String]
    private var out: String { "\(folder)/events" }

    /// Makes the origin, which serves the pictures, and lets one run end in peace.
    init(_ sluice: String, in folder: String, pictures: [Data], options: [String] = []) throws {
        self.sluice = sluice
        self.folder = folder
        self.options = options
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let paths = pictures.indices.map { "/\($0)" }
        let origin = try Origin(Dictionary(uniqueKeysWithValues: zip(paths, pictures)))
        self.origin = origin
        let list = paths.map { origin.address(of: $0) }.joined(separator: "\n")
        try list.write(toFile: "\(folder)/list.txt", atomically: false, encoding: .utf8)
        let start = Date()
        let words = Self.mirror(sluice, folder, origin.port, options, into: "\(folder)/wanted")
        guard try Tool.run(words) == 0 else {
            throw Trouble("an undisturbed run does not even end well: \(words.joined(separator: " "))")
        }
        duration = Date().timeIntervalSince(start)
        wanted = try Tree(of: "\(folder)/wanted/mirror")
    }

    /// The command that makes the mirror, in a folder below `path`; its gallery is called as the folder is.
    func mirror(into path: String) -> [String] { Self.mirror(sluice, folder, origin.port, options, into: path) }

    private static func mirror(
        _ sluice: String, _ folder: String, _ port: UInt16, _ options: [String], into path: String
    ) -> [String] {
        [
            sluice, "mirror", "\(folder)/list.txt", "--sizes", "64", "--json", "--allow-private", "--allow-port",
            "\(port)", "--out", "\(path)/mirror",
        ] + options
    }

    /// A folder for the next point, without what the last one left.
    func emptyPlace() throws -> String {
        let place = "\(folder)/killed"
        if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        return place
    }

    /// Runs the mirror's command, or one that runs it.
    func run(_ words: [String], killedAfter seconds: Double? = nil) throws -> (code: Int32, events: Events) {
        let code = try Tool.run(words, out: out, killedAfter: seconds)
        return (code, try Events(inFile: out))
    }

    /// What is wrong with a mirror behind a kill, before anything is mended.
    func faults(at path: String) throws -> [String] {
        try Tree(of: "\(path)/mirror").pictures.filter { wanted.files[$0.key] != $0.value }
            .map { "I1: \($0.key) is not whole" }
    }

    /// What is wrong with a mirror once the next run has mended it; `told` is what the killed run had told.
    func faultsMended(at path: String, told: Events) throws -> [String] {
        _ = origin.takeLog()
        var (code, events) = try run(mirror(into: path))
        // Two kills met the decode of one photo: that is for the run after the next.
        if events.isQuarantined { (code, events) = try run(mirror(into: path)) }
        let fetched = Set(origin.takeLog().map { origin.address(of: $0) })
        let found = try Tree(of: "\(path)/mirror")
        let (visible, undisturbed) = (found.visible, wanted.visible)
        var faults: [String] = []
        if code != 0 { faults.append("I8: the next run ended with \(code) (\(events.causes.sorted()))") }
        faults += told.safe.subtracting(events.ended["kept"] ?? []).map { "I2: \($0) was done, and is not kept" }
        faults += told.safe.intersection(fetched).map { "I6: \($0) was done, and is fetched again" }
        faults += Set(visible.keys).union(undisturbed.keys).filter { visible[$0] != undisturbed[$0] }
            .map { "I4: \($0) differs from an undisturbed run's" }
        faults += found.leftovers.map { "I5: \($0) is left" }
        let beside = try FileManager.default.contentsOfDirectory(atPath: path).filter {
            !["mirror", "lost+found"].contains($0)
        }
        faults += beside.map { "I7: \($0) lies outside of the mirror" }
        return faults.sorted()
    }
}
