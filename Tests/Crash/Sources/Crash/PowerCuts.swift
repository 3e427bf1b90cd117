// SPDX-License-Identifier: MIT

import Foundation

/// Simulates power cuts: the mirror is on a file system in an image file, and a copy of that file, made while it is
/// mounted, is the disk after a power cut.
struct PowerCuts {
    /// Whether this machine permits mounting such a file system.
    static func isPermitted(in folder: String) -> Bool {
        do {
            let disk = try Disk(in: folder, "trial")
            try disk.unmount()
            return true
        } catch {
            return false
        }
    }

    static func run(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            for _ in 0..<share(of: points, among: rigs.count) {
                let disk = try Disk(in: rig.folder, "disk")
                try rig.fill(disk.place)
                try Tool.require("sync", "--file-system", disk.place)
                let moment = Double.random(in: 0...(rig.duration * 1.2))
                let (_, events) = try rig.run(rig.command(in: disk.place), killedAfter: moment)
                let copy = try disk.cut()
                let faults = try rig.faults(at: copy.place, events: events)
                try copy.unmount()
                report.note("\(rig.job.name), power cut", faults, done: events.safe.count)
            }
        }
    }
}

/// An ext4 file system in an image file with a commit interval of five minutes.
private struct Disk {
    let place: String
    private let file: String
    private let folder: String

    /// Creates and mounts an empty file system.
    init(in folder: String, _ name: String) throws {
        file = "\(folder)/\(name).image"
        self.folder = folder
        place = "\(folder)/\(name)"
        let empty = "\(folder)/empty.image"
        if !FileManager.default.fileExists(atPath: empty) {
            try Tool.require("truncate", "--size", "48M", empty)
            try Tool.require("mkfs.ext4", "-q", empty)
        }
        try Tool.require("cp", "--sparse=always", empty, file)
        try mount()
    }

    private init(_ file: String, at place: String, in folder: String) throws {
        (self.file, self.place, self.folder) = (file, place, folder)
        try mount()
    }

    /// Unmounts this disk and returns the disk after a power cut, mounted at the same place.
    func cut() throws -> Disk {
        let after = "\(folder)/after.image"
        try Tool.require("cp", "--sparse=always", file, after)
        try unmount()
        return try Disk(after, at: place, in: folder)
    }

    /// Unmounts, once the decoding processes of a killed run have closed their files.
    func unmount() throws {
        let deadline = Date() + 30
        while try Tool.run(["umount", place]) != 0 {
            guard Date() < deadline else { throw RigError("cannot unmount \(place)") }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    private func mount() throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Tool.require("mount", "-o", "loop,commit=300", file, place)
    }
}
