// SPDX-License-Identifier: MIT

import Foundation

/// Runs a mode with all jobs, below a folder.
struct CrashTest {
    let sluice: String
    let folder: String
    let jobs: [Job]

    /// Prints a summary and returns the counts; `nil` if this machine cannot run the mode.
    func run(_ mode: Mode, photos: Int, points: Int) throws -> Report? {
        let report = Report()
        if mode == .power {
            guard PowerCuts.isPermitted(in: folder) else {
                say("skipped: power cuts need root, mkfs.ext4 and loop devices")
                return nil
            }
            try controlPowerCuts(photos: photos)
        }
        let rigs = try rigs(mode == .marathon ? Job.marathons : jobs, mode.rawValue, photos: photos)
        switch mode {
        case .calls: try Kills.atCalls(rigs, points: points, report: report)
        case .moments: try Kills.atMoments(rigs, points: points, report: report)
        case .marathon: try Kills.marathon(rigs, points: points, report: report)
        case .power: try PowerCuts.run(rigs, points: points, report: report)
        case .full: try CallFaults.run(CallFaults.full, rigs, points: points, report: report)
        case .broken: try CallFaults.run(CallFaults.broken, rigs, points: points, report: report)
        case .unreadable: try CallFaults.run(CallFaults.unreadable, rigs, points: points, report: report)
        case .faults: try CallFaults.run(CallFaults.other, rigs, points: points, report: report)
        }
        report.printSummary(mode.rawValue)
        return report
    }

    /// Requires faults of runs that flush nothing; otherwise power cuts prove nothing.
    private func controlPowerCuts(photos: Int) throws {
        let control = Report(isSilent: true)
        let unflushed = try rigs([.mirror("--durability", "none")], "control", photos: photos)
        // About one cut in six finds something, so a fixed small number would often find nothing.
        repeat {
            try PowerCuts.run(unflushed, points: 10, report: control)
        } while control.faulty == 0 && control.points < 100
        control.printSummary("power cuts with --durability none, as a control")
        guard control.faulty > 0 else { throw RigError("the control found no faults, so this test proves nothing") }
    }

    private func rigs(_ jobs: [Job], _ name: String, photos: Int) throws -> [Rig] {
        let pictures = try demoPictures(photos)
        return try jobs.enumerated().map { index, job in
            do {
                return try Rig(job, sluice: sluice, in: "\(folder)/\(name)\(index)", pictures: pictures)
            } catch {
                throw RigError("cannot prepare \(job.name): \(error)")
            }
        }
    }

    /// Downloads small photos of the demo service.
    private func demoPictures(_ count: Int) throws -> [Data] {
        let place = "\(folder)/pictures\(count)"
        if !FileManager.default.fileExists(atPath: place) {
            try Tool.require(
                sluice, "mirror", "demo", "--max-items", "\(count)", "--variant", "thumb", "--sizes", "none",
                "--no-gallery", "--out", place)
        }
        return try Tree(of: place).pictures.sorted { $0.key < $1.key }.map(\.value)
    }
}
