// SPDX-License-Identifier: MIT

extension Flag {
    /// Whether `work` and `merge` accept the option, because no plan may set all of its values.
    var isGivenWithPlan: Bool {
        guard isRecorded, commands.contains(.mirror), category != .general else { return false }
        return switch others {
        case .anyone, .anyCommand: false
        case .none, .anyoneUpTo, .anyCommandIf: true
        }
    }

    /// Whether the command that a mirror's ledger or a plan records may set this value.
    func isHarmless(_ argument: Argument) -> Bool {
        switch others {
        case .none: false
        case .anyone, .anyCommand: true
        case .anyoneUpTo(let limit): Int(argument.text).map { $0 <= limit } ?? false
        case .anyCommandIf(let condition): condition(argument)
        }
    }

    /// Checks a setting from the file inside a mirror's folder.
    func checkInMirrorFile(_ arguments: [Argument], _ source: SettingSource) throws(UsageError) {
        let advice = "use an argument, --config or your own sluice.json"
        switch others {
        case .anyone: return
        case .none, .anyCommand, .anyCommandIf:
            throw UsageError("\(source.errorPrefix)\(long) cannot be set in the folder of a mirror; \(advice)")
        case .anyoneUpTo(let limit):
            guard !arguments.allSatisfy(isHarmless) else { return }
            throw UsageError(
                "\(source.errorPrefix)\(long) cannot be more than \(limit) in the folder of a mirror; \(advice)")
        }
    }
}
