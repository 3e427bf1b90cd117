// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

extension ThumbnailOptions {
    /// Identifies the options that determine the bytes of a thumbnail.
    ///
    /// Receipts store it. It excludes the sizes, which each thumbnail has itself, and the limits and the treatment of
    /// damage, which only determine whether there is a thumbnail. It also excludes the decoder, since all give the same
    /// pixels. A run makes every thumbnail again whose fingerprint differs, so the text of existing options must never
    /// change. Add a new option to ``laterFields`` only.
    package var fingerprint: String { Fingerprint("(\((fields + laterFields).joined(separator: ",")))").text }

    /// The options of the first versions, under the names that these versions stored.
    private var fields: [String] {
        [
            "sizes:[]", "fit:\(fit.rawValue)", "gravity:\(gravity.rawValue)", "enlarges:\(enlarges)",
            "background:\(background.fingerprintText)", "kernel:\(kernel.rawValue)", "sharpen:\(sharpen)",
            "qualityMode:\(qualityMode.rawValue)", "isLinear:\(isLinear)", "profile:\(profile.rawValue)",
            "keeps:\(keptMetadataText)", "format:\(format.rawValue)", "quality:\(quality)",
            "isProgressive:\(isProgressive)", "subsampling:\(subsampling.fingerprintText)",
            "isLossless:\(isLossless)", "maxBytes:\(maxBytes.map { "(some:\($0))" } ?? "nil")", "salvages:false",
            "limits:(pixels:100000000,scans:100,memory:536870912,seconds:20.0)",
        ]
    }

    /// The options of later versions, each as `name:value` and only if it differs from its default.
    private var laterFields: [String] {
        (speed == Self.defaultSpeed ? [] : ["speed:\(speed)"])
            + (animation == .first ? [] : ["animation:\(animation.rawValue)"])
    }

    private var keptMetadataText: String {
        guard !keptMetadata.isEmpty else { return "[]" }
        // The order of a set differs between processes.
        return "(\(keptMetadata.map { ":\($0.rawValue)" }.sorted().joined(separator: ",")))"
    }
}

extension BackgroundColor {
    fileprivate var fingerprintText: String { "(red:\(red),green:\(green),blue:\(blue),alpha:\(alpha))" }
}

extension ThumbnailOptions.Subsampling {
    fileprivate var fingerprintText: String {
        switch self {
        case .half: "half"
        case .columns: "columns"
        case .full: "full"
        }
    }
}
