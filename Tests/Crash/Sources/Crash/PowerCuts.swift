// SPDX-License-Identifier: MIT

import Foundation

/// Cuts the power: the mirror lies on a file system in a file, and a copy of that file, made while it is mounted, is the
/// disk as a power cut would have left it.
struct PowerCuts {
    /// Whether this machine lets us mount such a file system.
    static func isPermitted(in folder: String) -> Bool {
        do {
            let disk = try Disk(in: folder, "trial")
            try disk.unmount()
            return true
        } catch {
            return false
        }
    }

    static func run(_ rigs: [Rig], points: Int, report: Report, silently: Bool) throws {
        try inParallel(rigs) { rig in
            while report.points < points {
                let disk = try Disk(in: rig.folder, "disk")
                let moment = Double.random(in: 0...(rig.duration * 1.2))
                let (_, told) = try rig.run(rig.command(into: disk.place), killedAfter: moment)
                let copy = try disk.cut()
                var faults = try rig.faults(at: copy.place)
                faults += try rig.faultsMended(at: copy.place, told: told)
                try copy.unmount()
                report.note("a power cut", faults, done: told.safe.count, silently: silently)
            }
        }
    }
}

/// An ext4 file system in a file, which writes nothing by itself for minutes.
private struct Disk {
    let place: String
    private let file: String
    private let folder: String

    /// Makes an empty one, and mounts it.
    init(in folder: String, _ name: String) throws {
        file = "\(folder)/\(name).image"
        self.folder = folder
        place = "\(folder)/\(name)"
        let empty = "\(folder)/empty.image"
        if !FileManager.default.fileExists(atPath: empty) {
            try Tool.must("truncate", "--size", "48M", empty)
            try Tool.must("mkfs.ext4", "-q", empty)
        }
        try Tool.must("cp", "--sparse=always", empty, file)
        try mount()
    }

    private init(_ file: String, at place: String, in folder: String) throws {
        (self.file, self.place, self.folder) = (file, place, folder)
        try mount()
    }

    /// The disk as it is behind a power cut; this one goes.
    func cut() throws -> Disk {
        let after = "\(folder)/after.image"
        try Tool.must("cp", "--sparse=always", file, after)
        try unmount()
        return try Disk(after, at: "\(folder)/after", in: folder)
    }

    func unmount() throws { try Tool.must("umount", place) }

    private func mount() throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Tool.must("mount", "-o", "loop,commit=300", file, place)
    }
}
