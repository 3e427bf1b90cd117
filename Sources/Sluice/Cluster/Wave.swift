// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceStore

/// One of the plans that are merged together: the plan of a source, or the plan of what the previous one left.
struct Wave: Sendable {
    let plan: Plan
    /// The plan's folder.
    let store: any Store

    /// Opens plans, the first one of a source and each further one of the leftovers of the one before.
    static func open(_ folders: [String]) throws(MirrorError) -> [Wave] {
        var waves: [Wave] = []
        for folder in folders {
            let store = try Plan.store(folder)
            let wave = Wave(plan: try Plan(in: store), store: store)
            guard wave.plan.leftoversOf == waves.last?.plan.id else {
                let reason =
                    waves.isEmpty
                    ? "name the plan whose leftovers it has before it"
                    : "it does not have the leftovers of '\(waves[waves.count - 1].store.location)'"
                throw MirrorError(.usage, "cannot merge '\(folder)': \(reason)")
            }
            waves.append(wave)
        }
        return waves
    }
}
