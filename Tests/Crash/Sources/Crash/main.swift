// SPDX-License-Identifier: MIT

import Foundation

// Usage: Crash calls|faults|moments|power SLUICE FOLDER PHOTOS POINTS
//
// Makes mirrors with SLUICE below FOLDER, ends them by force, and holds what is left and what the next run makes of it
// against the invariants of a mirror. PHOTOS is how many a mirror has; POINTS how many times, where chance chooses.

do {
    let words = CommandLine.arguments
    guard words.count == 6, let photos = Int(words[4]), let points = Int(words[5]) else {
        throw Trouble("usage: Crash calls|faults|moments|power SLUICE FOLDER PHOTOS POINTS")
    }
    let (way, sluice, folder) = (words[1], words[2], words[3])
    let pictures = try demoPictures(photos, sluice: sluice, folder: folder)
    let report = Report()
    switch way {
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
            say("skipped: power cuts take root, mkfs.ext4 and loop devices")
            exit(0)
        }
        try PowerCuts.run(rigs([[], ["--durability", "each"]]), points: points, report: report, silently: false)
        // A rig that finds nothing where nothing is flushed would prove nothing.
        let control = Report()
        let careless = try rigs([["--durability", "none"]])
        try PowerCuts.run(careless, points: max(4, points / 10), report: control, silently: true)
        control.tell("power cuts with --durability none, as a control")
        guard control.faulty > 0 else { throw Trouble("the control found nothing: this rig proves nothing") }
    default: throw Trouble("\(way) is no way to crash")
    }
    report.tell(way)
    exit(report.faulty == 0 ? 0 : 1)

    func rigs(_ options: [[String]]) throws -> [Rig] {
        try options.enumerated().map { index, options in
            let place = "\(folder)/\(way)\(options.last ?? "")\(index)"
            return try Rig(sluice, in: place, pictures: pictures, options: options)
        }
    }
} catch {
    say("crash-test: \(error)")
    exit(2)
}

/// Small photos of the demo service.
func demoPictures(_ count: Int, sluice: String, folder: String) throws -> [Data] {
    let place = "\(folder)/pictures"
    let code = try Tool.run([
        sluice, "mirror", "demo", "--max-items", "\(count)", "--variant", "thumb", "--sizes", "none", "--no-gallery",
        "--out", place,
    ])
    guard code == 0 else { throw Trouble("the demo's photos cannot be had: \(sluice) ended with \(code)") }
    let tree = try Tree(of: place)
    return tree.pictures.sorted { $0.key < $1.key }.map(\.value)
}

/// A picture that looks the same and has as many bytes, and is another: a JPEG whose pixels are said to be less square.
func otherVersion(_ picture: Data) -> Data {
    var bytes = picture
    if bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) { bytes[15] += 1 }
    return bytes
}
