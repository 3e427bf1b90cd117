// SPDX-License-Identifier: MIT

internal import SluiceEngine

/// The options that a mirror may set: in its own `sluice.json`, or in the command that its ledger or a plan records.
///
/// A mirror or a plan may come from a stranger, so it may only choose photos and describe how they look. An option is
/// refused unless it is listed here. Never list an option that names a file, an address or a program, sends data, lifts
/// a limit or a check, removes files, or weakens durability.
extension Flag {
    /// Which values of an option a mirror may set.
    enum MirrorRule: Sendable {
        case any
        /// Whole numbers up to this limit.
        case atMost(Int)
    }

    private static let mirrorRules: [String: MirrorRule] = {
        let names = [
            "pages", "per-page", "max-items", "stop-after-seen", "variant", "order", "min-size", "aspect", "range",
            "filter", "collection", "since", "url-column", "id-column", "caption-column",
            "sizes", "fit", "format", "quality", "jobs", "gravity", "background", "enlarge", "kernel",
            "quality-mode", "decoder", "linear", "sharpen", "progressive", "speed", "subsampling", "lossless", "max-kb",
            "profile", "animated",
            "timeout", "connect-timeout", "first-byte-timeout", "min-speed", "retries", "rate", "bandwidth", "http",
            "name", "no-originals", "fetch", "no-share", "no-gallery", "parquet", "skip-deleted", "title", "theme",
            "size", "shard-items", "shard-bytes", "distance", "port", "quiet", "verbose", "json", "color",
        ]
        var rules = Dictionary(uniqueKeysWithValues: names.map { ($0, MirrorRule.any) })
        // More would be impolite to hosts.
        rules["concurrency"] = .atMost(MirrorOptions().concurrency)
        rules["per-host"] = .atMost(MirrorOptions().perHost)
        return rules
    }()

    /// The names of all options with a rule.
    static var namesInMirror: Set<String> { Set(mirrorRules.keys) }

    /// Whether `work` and `merge` accept the option, because no plan may set all of its values.
    var isGivenWithPlan: Bool {
        if case .any = Self.mirrorRules[long] { return false }
        return isRecorded && commands.contains(.mirror) && !["contact", "user-agent", "config"].contains(long)
    }

    /// Whether the command that a mirror's ledger or a plan records may set this value.
    func isHarmless(_ argument: Argument) -> Bool {
        switch (long, Self.mirrorRules[long]) {
        case (_, .any): true
        case (_, .atMost(let limit)): Int(argument.text).map { $0 <= limit } ?? false
        // These are recorded, but the file cannot set them. The texts introduce the user to the mirror's own hosts.
        case ("contact", nil), ("user-agent", nil): true
        case ("isolate", nil): argument.isOn
        case ("config", nil): argument.text == "none"
        default: false
        }
    }

    /// Checks a setting from the file inside a mirror's folder.
    func checkInMirrorFile(_ arguments: [Argument], _ source: SettingSource) throws(UsageError) {
        let advice = "use an argument, --config or your own sluice.json"
        guard let rule = Self.mirrorRules[long] else {
            throw UsageError("\(source.errorPrefix)\(long) cannot be set in the folder of a mirror; \(advice)")
        }
        guard case .atMost(let limit) = rule else { return }
        for argument in arguments where !isHarmless(argument) {
            throw UsageError(
                "\(source.errorPrefix)\(long) cannot be more than \(limit) in the folder of a mirror; \(advice)")
        }
    }
}
