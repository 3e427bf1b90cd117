// SPDX-License-Identifier: MIT

/// The command's flags that a report or a gallery shows.
///
/// All other flags are spelled in the command only.
package enum CommandFlag: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case allowFormat = "--allow-format"
    case bandwidth = "--bandwidth"
    case concurrency = "--concurrency"
    case decodeTimeout = "--decode-timeout"
    case durability = "--durability"
    case header = "--header"
    case ignoreOptOut = "--ignore-opt-out"
    case maxBytes = "--max-bytes"
    case maxPixels = "--max-pixels"
    case memory = "--memory"
    case perHost = "--per-host"
    case perPage = "--per-page"
    case proxy = "--proxy"
    case qualityMode = "--quality-mode"
    case rate = "--rate"
    case retry = "--retry"
    case retryQuarantined = "--retry-quarantined"
    case salvage = "--salvage"
    case sizes = "--sizes"

    /// The flag with its dashes.
    package var description: String { rawValue }
}

extension Remedy {
    /// The options that apply the remedy in another run; `nil` if it needs none.
    package var options: String? {
        switch self {
        case .retry, .none: String?.none
        case .raiseSizeLimit: "\(CommandFlag.maxBytes)=1G"
        case .raisePixelLimit: "\(CommandFlag.maxPixels)=1G"
        case .raiseDecodeLimits: "\(CommandFlag.memory)=4G \(CommandFlag.decodeTimeout)=300s"
        case .salvage: CommandFlag.salvage.rawValue
        case .liftQuarantine: CommandFlag.retryQuarantined.rawValue
        }
    }
}
