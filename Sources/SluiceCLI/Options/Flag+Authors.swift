// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Flag {
    /// Whether `work`, `merge` and `verify --repair` accept the option, because no recorded command may set all of its
    /// values.
    var isGivenAgain: Bool {
        guard isRecorded, commands.contains(.mirror), category != .general else { return false }
        return switch others {
        case .anyone, .anyCommand: false
        case .none, .anyoneUpTo, .anyCommandIf: true
        }
    }

    /// Whether others may set the option up to a limit, which protects services from requests.
    var limitsRequests: Bool { if case .anyoneUpTo = others { true } else { false } }

    /// Whether the author may set the option to this value.
    func accepts(_ argument: Argument, from author: Provenance) -> Bool {
        if author == .user { return true }
        let isCommand = author != .mirrorFile
        return switch others {
        case .none: false
        case .anyone: true
        case .anyoneUpTo(let limit): Int(argument.text).map { $0 <= limit } ?? false
        case .anyCommand: isCommand
        case .anyCommandIf(let condition): isCommand && condition(argument)
        }
    }

    /// Checks a setting from the file inside a mirror's folder.
    func checkInMirrorFile(_ arguments: [Argument], _ source: SettingSource) throws(UsageError) {
        guard !arguments.allSatisfy({ accepts($0, from: source.author) }) else { return }
        let advice = "use an argument, --config or your own sluice.json"
        let limit = if case .anyoneUpTo(let limit) = others { " to more than \(limit)" } else { "" }
        throw UsageError("\(source.errorPrefix)\(long) cannot be set\(limit) in the folder of a mirror; \(advice)")
    }
}
