// SPDX-License-Identifier: MIT

import Foundation

/// A command to disturb, the state that it starts from, and the commands that must recover from the disturbance.
struct Job: Sendable {
    let name: String
    /// Creates the state to start from and then changes the inputs, once for each rig.
    var preparation: (@Sendable (Workplace) throws -> Void)?
    let command: @Sendable (Workplace) -> [String]
    /// The commands that follow an undisturbed run and a recovery, before both are compared.
    var completion: @Sendable (Workplace) -> [[String]] = { _ in [] }
    /// The commands to run afterwards, usually the same command again; all must succeed.
    var recovery: @Sendable (Workplace) -> [[String]]
    /// Whether the recovery reports each photo that the disturbed run finished as kept.
    var reportsKept = false
    /// Whether the command refuses to run again after it has succeeded, so recovery cannot be tested then.
    var runsOnlyOnce = false

    init(
        _ name: String, command: @escaping @Sendable (Workplace) -> [String],
        after preparation: (@Sendable (Workplace) throws -> Void)? = nil, reportsKept: Bool = false,
        recovery: (@Sendable (Workplace) -> [[String]])? = nil
    ) {
        (self.name, self.preparation, self.reportsKept, self.command) = (name, preparation, reportsKept, command)
        self.recovery = recovery ?? { [command($0)] }
    }
}

/// The paths and the web server that a job's commands use.
struct Workplace: Sendable {
    let sluice: String
    /// The folder of the inputs, which no command may change.
    let inputs: String
    let origin: Origin
    let pictures: [Data]
    /// The folder that holds all that the command may write; each point has a new one.
    let place: String

    /// The mirror; its name is the gallery's title.
    var mirror: String { "\(place)/mirror" }
    /// The plan of the mirror's only shard.
    var plan: String { "\(place)/plan" }
    var list: String { "\(inputs)/list.txt" }
    var blocklist: String { "\(inputs)/block.txt" }
    /// The user's options for repairs.
    var settings: String { "\(inputs)/sluice.json" }
    /// The folder with the pictures as files.
    var photos: String { "\(inputs)/photos" }

    /// Options for downloads from the web server.
    var access: [String] { ["--allow-private", "--allow-port", "\(origin.port)"] }

    /// Serves the pictures and lists their addresses in the inputs.
    func offer(_ pictures: [Data]) throws {
        origin.serve(Dictionary(uniqueKeysWithValues: pictures.indices.map { ("/\($0)", pictures[$0]) }))
        try listFirst(pictures.count)
    }

    /// Lists only the first pictures.
    func listFirst(_ count: Int) throws {
        let lines = (0..<count).map { origin.address(of: "/\($0)") }.joined(separator: "\n")
        try lines.write(toFile: list, atomically: false, encoding: .utf8)
    }

    /// Writes the pictures into a folder of their own.
    func savePhotos() throws {
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        for (index, picture) in pictures.enumerated() {
            try picture.write(to: URL(filePath: "\(photos)/\(index).jpg"))
        }
    }
}
