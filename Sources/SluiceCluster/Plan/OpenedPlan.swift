// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore

/// A plan and the folder that it was read from.
struct OpenedPlan: Sendable {
    let plan: Plan
    /// The files of the folder.
    let store: any Store

    /// Opens the plans of one mirror in their order: that of the source and those that were appended to it, each
    /// followed by the plans of its leftovers.
    ///
    /// The first one may be appended to a plan that is not named. `purpose` begins the error's description.
    static func open(
        _ folders: [String], _ buckets: S3Options, to purpose: String = "merge"
    ) throws(MirrorError) -> [OpenedPlan] {
        var plans: [OpenedPlan] = []
        for folder in folders {
            let store = try Plan.store(folder, buckets)
            let opened = OpenedPlan(plan: try Plan(in: store), store: store)
            if let reason = opened.conflict(after: plans) {
                throw MirrorError(.usage, "cannot \(purpose) '\(folder)': \(reason)")
            }
            plans.append(opened)
        }
        return plans
    }

    /// Returns the reason why the plan cannot follow others.
    private func conflict(after plans: [OpenedPlan]) -> String? {
        guard let last = plans.last else {
            return plan.leftoversOf == nil ? nil : "it has the leftovers of another plan; name that plan first"
        }
        if let left = plan.leftoversOf {
            return left == last.plan.id ? nil : "it does not have the leftovers of '\(last.store.location)'"
        }
        guard let source = plans.last(where: { $0.plan.leftoversOf == nil }), plan.appendedTo != source.plan.id else {
            return nil
        }
        return "it was not appended to '\(source.store.location)'"
    }

    /// Returns each plan of a source with those of its leftovers.
    static func groups(_ plans: [OpenedPlan]) -> [[OpenedPlan]] {
        plans.reduce(into: []) { groups, opened in
            if opened.plan.leftoversOf == nil { groups.append([]) }
            groups[groups.count - 1].append(opened)
        }
    }
}
