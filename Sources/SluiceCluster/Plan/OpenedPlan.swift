// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore

/// A plan and the folder that it was read from.
struct OpenedPlan: Sendable {
    let plan: Plan
    /// The files of the folder.
    let store: any Store

    /// Opens the plans that are merged together: that of the source, then each plan of the previous one's leftovers.
    static func open(_ folders: [String], _ buckets: S3Options) throws(MirrorError) -> [OpenedPlan] {
        var plans: [OpenedPlan] = []
        for folder in folders {
            let store = try Plan.store(folder, buckets)
            let opened = OpenedPlan(plan: try Plan(in: store), store: store)
            guard opened.plan.leftoversOf == plans.last?.plan.id else {
                let reason =
                    plans.isEmpty
                    ? "it has the leftovers of another plan; name that plan first"
                    : "it does not have the leftovers of '\(plans[plans.count - 1].store.location)'"
                throw MirrorError(.usage, "cannot merge '\(folder)': \(reason)")
            }
            plans.append(opened)
        }
        return plans
    }
}
