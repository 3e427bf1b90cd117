// SPDX-License-Identifier: MIT

import Foundation

/// The state of a place: its mirror, the mirror's ledger, and other folders.
struct Snapshot {
    /// The names in the place.
    let names: Set<String>
    let mirror: Tree
    let ledger: LedgerFile?
    /// The files next to the mirror: exported shards.
    let beside: [String: Data]

    /// Reads a place; `folder` is for the copy of the ledger.
    init(of place: String, copyingTo folder: String) throws {
        names = Set(try FileManager.default.contentsOfDirectory(atPath: place)).subtracting(["lost+found"])
        mirror = try Tree(of: "\(place)/mirror")
        ledger = try LedgerFile(of: "\(place)/mirror", copyingTo: folder)
        var beside: [String: Data] = [:]
        // Plans hold the times and machines of the runs.
        for name in names.subtracting(["mirror", "plan"]) {
            for (file, bytes) in try Tree(of: "\(place)/\(name)").files { beside["\(name)/\(file)"] = bytes }
        }
        self.beside = beside
    }

    /// The files that are done in the ledger, but missing or of another size.
    var damaged: Set<String> {
        Set((ledger?.files ?? [:]).filter { mirror.files[$0.key]?.count != $0.value }.keys)
    }

    /// The faults in comparison with the state after an undisturbed run.
    func differences(from wanted: Snapshot) -> [String] {
        var faults = changed(mirror.visible, wanted.mirror.visible) + changed(beside, wanted.beside)
        faults += mirror.shared.symmetricDifference(wanted.mirror.shared).filter { !$0.hasPrefix(".sluice/") }
            .map { "I4: \($0) shares its storage in only one of this run and an undisturbed one" }
        if let ledger {
            faults += ledger.faults.map { "I3: \($0)" }
            faults += ledger.done.symmetricDifference(wanted.ledger?.done ?? [])
                .map { "I3: \($0) is done in only one of this ledger and an undisturbed run's" }
        } else if wanted.ledger != nil {
            faults.append("I3: no ledger")
        }
        faults += mirror.leftovers.map { "I5: \($0) remains" }
        faults += names.subtracting(wanted.names).map { "I7: \($0) is outside the mirror" }
        return faults
    }

    private func changed(_ found: [String: Data], _ wanted: [String: Data]) -> [String] {
        Set(found.keys).union(wanted.keys).filter { found[$0] != wanted[$0] }
            .map { "I4: \($0) differs from an undisturbed run's" }
    }
}
