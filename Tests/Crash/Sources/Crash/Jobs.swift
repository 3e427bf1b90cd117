// SPDX-License-Identifier: MIT

import Foundation

/// The jobs for each command that writes.
extension Job {
    static let all =
        [mirror("--concurrency", "1"), mirror("--concurrency", "16"), mirror("--durability", "each"), refresh]
        + [thumbs(), thumbs("--isolate"), adopt, prune, repair, mergeDuplicates, rebuild, rebuildWithoutLedger]
        + [block, skipSimilar, recheck, moveDuplicates]
        + [export, plan, work, merge]

    /// Downloads the list into an empty folder.
    static func mirror(_ options: String...) -> Job {
        Job("mirror \(options.joined(separator: " "))", command: { mirroring($0) + options }, reportsKept: true)
    }

    /// Replaces photos that changed on the server; afterwards the ledger must know which ones are old.
    static let refresh = refreshing()

    /// The jobs whose mirrors are killed again and again: photos are decoded in workers, in the main process, and with
    /// so little memory that they wait for it.
    static let marathons = [refreshing(), refreshing("--no-isolate"), refreshing("--memory", "160M")]

    private static func refreshing(_ options: String...) -> Job {
        Job(
            (["mirror --refresh"] + options).joined(separator: " "),
            command: { mirroring($0) + ["--refresh"] + options },
            after: { work in
                try work.offer(work.pictures.map(otherVersion))
                try Tool.require(mirroring(work) + options)
                try work.offer(work.pictures)
            }, reportsKept: true,
            recovery: { work in
                [
                    mirroring(work) + options, [work.sluice, "verify", work.mirror],
                    mirroring(work) + ["--refresh"] + options,
                ]
            })
    }

    /// Makes thumbnails of local files.
    static func thumbs(_ options: String...) -> Job {
        Job(
            (["thumbs"] + options).joined(separator: " "),
            command: { work in
                [work.sluice, "thumbs", work.photos, "--sizes", "64", "--json", "--out", work.mirror] + options
            }, after: { try $0.savePhotos() }, reportsKept: true)
    }

    /// Imports local files as the photos of the list; the web server gets no request.
    static let adopt = Job(
        "adopt",
        command: { work in
            [work.sluice, "adopt", work.photos, work.list, "--sizes", "64", "--json", "--out", work.mirror]
                + work.access
        }, after: { try $0.savePhotos() })

    /// Removes half of the photos.
    static let prune = Job(
        "mirror --prune", command: { mirroring($0) + ["--prune", "--prune-limit", "100%"] },
        after: { work in
            try Tool.require(mirroring(work))
            try work.listFirst(work.pictures.count / 2)
        }, reportsKept: true)

    /// Removes the photos that are on a blocklist.
    static let block = Job(
        "mirror --blocklist", command: { mirroring($0) + ["--blocklist", $0.blocklist] },
        after: { work in
            try Tool.require(mirroring(work))
            let manifest = try String(contentsOfFile: "\(work.mirror)/manifest.jsonl", encoding: .utf8)
            let hashes = try manifest.split(separator: "\n").compactMap { line in
                (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["sha256"] as? String
            }
            let blocked = hashes.prefix(work.pictures.count / 2).joined(separator: "\n")
            try blocked.write(toFile: work.blocklist, atomically: false, encoding: .utf8)
        })

    /// Downloads a copy of each photo, and removes it again.
    static let skipSimilar = Job(
        "mirror --skip-similar", command: { mirroring($0) + ["--skip-similar"] },
        after: { work in
            try Tool.require(mirroring(work))
            try work.offer(work.pictures + work.pictures)
        })

    /// Removes the half of the photos that the server has no more.
    static let recheck = Job(
        "recheck --prune",
        command: { [$0.sluice, "recheck", $0.mirror, "--prune", "--prune-limit", "100%"] + $0.access },
        after: { work in
            try Tool.require(mirroring(work))
            try work.offer(Array(work.pictures.prefix(work.pictures.count / 2)))
        })

    /// Moves a copy of each photo out of the mirror.
    static let moveDuplicates = Job(
        "duplicates --move",
        command: { [$0.sluice, "duplicates", $0.mirror, "--keep", "best", "--move", "\($0.place)/copies"] },
        after: mergeDuplicates.preparation)

    /// Restores a missing original, a changed original and a missing thumbnail.
    static let repair = Job(
        "verify --repair", command: repairing,
        after: { work in
            try Tool.require(mirroring(work))
            let pictures = try Tree(of: work.mirror).pictures.keys.sorted()
            let originals = pictures.filter { $0.hasPrefix("originals/") }
            let thumbs = pictures.filter { $0.hasPrefix("thumbs/") }
            guard originals.count > 2, thumbs.count > 2 else { throw RigError("the repair needs three photos") }
            for name in [originals[0], thumbs[2]] {
                try FileManager.default.removeItem(atPath: "\(work.mirror)/\(name)")
            }
            try Data("damaged".utf8).write(to: URL(filePath: "\(work.mirror)/\(originals[1])"))
            // Access to private addresses is not taken from the mirror.
            let settings = #"{"allow-private": true, "allow-port": "\#(work.origin.port)"}"#
            try Data(settings.utf8).write(to: URL(filePath: work.settings))
        },
        // A second repair writes the gallery only if it finds something to repair.
        recovery: { [repairing($0), [$0.sluice, "gallery", $0.mirror]] })

    /// Stores equal photos once; each is there twice.
    static let mergeDuplicates = Job(
        "duplicates --merge", command: { [$0.sluice, "duplicates", $0.mirror, "--merge"] },
        after: { work in
            try work.offer(work.pictures + work.pictures)
            try Tool.require(mirroring(work))
        })

    /// Rebuilds the ledger, with the old one present.
    static let rebuild = Job(
        "gallery --rebuild", command: { [$0.sluice, "gallery", $0.mirror, "--rebuild", "--force"] },
        after: { try Tool.require(mirroring($0)) })

    static let rebuildWithoutLedger = Job(
        "gallery --rebuild without a ledger", command: rebuild.command,
        after: { work in
            try Tool.require(mirroring(work))
            try FileManager.default.removeItem(atPath: "\(work.mirror)/.sluice/ledger.sqlite")
        })

    /// Writes shards of two photos each next to the mirror.
    static let export = {
        var job = Job(
            "export",
            command: { work in
                [work.sluice, "export", work.mirror, "--shard-items", "2", "--out", "\(work.place)/shards"]
            }, after: { try Tool.require(mirroring($0)) })
        job.runsOnlyOnce = true
        return job
    }()

    static let plan = {
        var job = Job("plan", command: planning)
        job.completion = { [working($0), merging($0)] }
        return job
    }()

    static let work = {
        var job = Job("work", command: working, after: { try Tool.require(planning($0)) })
        job.completion = { [merging($0)] }
        return job
    }()

    /// Joins the shards of a plan.
    static let merge = Job(
        "merge", command: merging,
        after: { work in
            try Tool.require(planning(work))
            try Tool.require(working(work))
        })

    private static func planning(_ work: Workplace) -> [String] {
        [work.sluice, "plan", work.list, "--shards", "1", "--sizes", "64", "--out", work.plan] + work.access
    }

    private static func working(_ work: Workplace) -> [String] {
        [work.sluice, "work", work.plan, "--shard", "0", "--json", "--out", work.mirror] + work.access
    }

    private static func merging(_ work: Workplace) -> [String] {
        [work.sluice, "merge", work.plan, "--out", work.mirror] + work.access
    }

    private static func repairing(_ work: Workplace) -> [String] {
        [work.sluice, "verify", work.mirror, "--repair", "--json", "--config", work.settings]
    }

    private static func mirroring(_ work: Workplace) -> [String] {
        [work.sluice, "mirror", work.list, "--sizes", "64", "--json", "--out", work.mirror] + work.access
    }
}

/// Returns a different file of the same size and appearance: a JPEG with another pixel density.
func otherVersion(_ picture: Data) -> Data {
    var bytes = picture
    if bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) { bytes[15] += 1 }
    return bytes
}
