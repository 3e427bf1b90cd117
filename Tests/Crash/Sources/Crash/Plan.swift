// SPDX-License-Identifier: MIT

import Foundation

/// One way to disturb the jobs.
enum Mode: String, CaseIterable {
    case calls, moments, marathon, power, full, broken, unreadable, faults

    /// The number of points in words, for the summary.
    func counted(_ points: Int) -> String {
        switch self {
        case .calls: "\(points) SIGKILLs at calls"
        case .moments: "\(points) SIGKILLs at random moments"
        case .marathon: "\(points) SIGKILLs in a row"
        case .power: "\(points) power cuts"
        case .full: "\(points) full disks"
        case .broken: "\(points) I/O errors"
        case .unreadable: "\(points) read errors"
        case .faults: "\(points) other faults"
        }
    }
}

/// The number of points of each kind that a whole test makes.
struct Plan {
    let kills: Int
    let marathon: Int
    let powerCuts: Int
    let full: Int
    let broken: Int
    let unreadable: Int
    let faults: Int

    static let long = Plan(
        kills: 10_000, marathon: 3_000, powerCuts: 2_000, full: 500, broken: 400, unreadable: 100, faults: 500)
    static let short = Plan(
        kills: 1_000, marathon: 90, powerCuts: 200, full: 50, broken: 40, unreadable: 30, faults: 60)

    /// Runs all modes and prints a summary of each and of all; returns whether no point had faults.
    func run(_ test: CrashTest) throws -> Bool {
        let start = Date()
        var reports: [(Mode, Report)] = []
        func make(_ mode: Mode, photos: Int, points: Int) throws {
            guard points > 0, let report = try test.run(mode, photos: photos, points: points) else { return }
            reports.append((mode, report))
        }
        try make(.calls, photos: 6, points: kills * 4 / 5)
        // Some commands make too few calls for their share, so random moments fill the rest.
        try make(.moments, photos: 24, points: kills - (reports.last?.1.points ?? 0))
        try make(.marathon, photos: 24, points: marathon)
        try make(.full, photos: 6, points: full)
        try make(.broken, photos: 6, points: broken)
        try make(.unreadable, photos: 6, points: unreadable)
        try make(.faults, photos: 6, points: faults)
        try make(.power, photos: 24, points: powerCuts)
        let counts = reports.map { mode, report in mode.counted(report.points) }.joined(separator: ", ")
        let faulty = reports.reduce(0) { $0 + $1.1.faulty }
        say("crash-test: \(counts): \(faulty) with faults, in \(Int(Date().timeIntervalSince(start))) s")
        return faulty == 0
    }
}
