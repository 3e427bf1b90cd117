// SPDX-License-Identifier: MIT

import Foundation

// Usage: Crash calls|faults|moments|power SLUICE FOLDER PHOTOS POINTS
//
// Makes mirrors with SLUICE below FOLDER, kills the runs, and checks the remaining files and the result of the next run
// against the invariants of a mirror. PHOTOS is the size of a mirror; POINTS is the number of kills or faults.

do {
    let words = CommandLine.arguments
    guard words.count == 6, let photos = Int(words[4]), let points = Int(words[5]) else {
        throw RigError("usage: Crash calls|faults|moments|power SLUICE FOLDER PHOTOS POINTS")
    }
    let (mode, sluice, folder) = (words[1], words[2], words[3])
    let pictures = try demoPictures(photos, sluice: sluice, folder: folder)
    let report = Report()
    switch mode {
    case "calls":
        let refreshing = try Rig(
            sluice, in: "\(folder)/refresh", pictures: pictures, older: pictures.map(otherVersion),
            options: ["--concurrency", "4"])
        let plain = try rigs([
            ["--concurrency", "1"], ["--concurrency", "16"], ["--concurrency", "4", "--durability", "each"],
        ])
        try CallKills.run(plain + [refreshing], report: report)
    case "faults":
        try CallFaults.run(rigs([["--concurrency", "1"], ["--concurrency", "16"]]), points: points, report: report)
    case "moments": try RandomKills.run(rigs([[], []]), points: points, report: report)
    case "power":
        guard PowerCuts.isPermitted(in: folder) else {
            say("skipped: power cuts need root, mkfs.ext4 and loop devices")
            exit(0)
        }
        try PowerCuts.run(rigs([[], ["--durability", "each"]]), points: points, report: report, silently: false)
        // The control: without flushing, the rig must find faults. Few cuts hit a moment when bytes are lost.
        let control = Report()
        let unflushed = try rigs([["--durability", "none"]])
        repeat {
            try PowerCuts.run(unflushed, points: control.points + 10, report: control, silently: true)
        } while control.faulty == 0 && control.points < 100
        control.printSummary("power cuts with --durability none, as a control")
        guard control.faulty > 0 else { throw RigError("the control found no faults, so this test proves nothing") }
    default: throw RigError("unknown mode '\(mode)'")
    }
    report.printSummary(mode)
    exit(report.faulty == 0 ? 0 : 1)

    func rigs(_ options: [[String]]) throws -> [Rig] {
        try options.enumerated().map { index, options in
            let place = "\(folder)/\(mode)\(options.last ?? "")\(index)"
            return try Rig(sluice, in: place, pictures: pictures, options: options)
        }
    }
} catch {
    say("crash-test: \(error)")
    exit(2)
}

/// Downloads small photos of the demo service.
func demoPictures(_ count: Int, sluice: String, folder: String) throws -> [Data] {
    let place = "\(folder)/pictures"
    let code = try Tool.run([
        sluice, "mirror", "demo", "--max-items", "\(count)", "--variant", "thumb", "--sizes", "none", "--no-gallery",
        "--out", place,
    ])
    guard code == 0 else { throw RigError("cannot download the demo's photos: \(sluice) exited with code \(code)") }
    let tree = try Tree(of: place)
    return tree.pictures.sorted { $0.key < $1.key }.map(\.value)
}

/// Returns a different file of the same size and appearance: a JPEG with another pixel density.
func otherVersion(_ picture: Data) -> Data {
    var bytes = picture
    if bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) { bytes[15] += 1 }
    return bytes
}
