// SPDX-License-Identifier: MIT

extension ThumbnailOptions.Format: RawRepresentable, CaseIterable {
    /// Every format that Sluice can write, and ``auto``.
    public static let allCases = ImageFormat.encodable.map(Self.fixed) + [auto]

    /// The choice with this name, a format's or `auto`; `nil` for an unknown name.
    public init?(rawValue: String) {
        guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = choice
    }

    /// Whether every thumbnail can be lossless.
    package var canBeLossless: Bool {
        outcomes.allSatisfy { $0.capabilities.canBeLossless || !$0.capabilities.hasQuality }
    }

    /// Whether any thumbnail can be transparent.
    var canKeepAlpha: Bool { outcomes.contains { $0.capabilities.keepsAlpha } }

    /// Whether every thumbnail can be stored in grey.
    var alwaysKeepsGrey: Bool { outcomes.allSatisfy { $0.capabilities.keepsGrey } }

    /// Returns whether every thumbnail can carry a colour profile, if they may or may not be transparent.
    func accepts(profile: [UInt8], isGrey: Bool, mayBeTransparent: Bool) -> Bool {
        let outcomes = mayBeTransparent ? outcomes : [encoder(hasAlpha: false)].compactMap(\.self)
        return outcomes.allSatisfy { $0.accepts(profile: profile, isGrey: isGrey) }
    }

    /// The encoders that this choice can lead to.
    private var outcomes: [any ImageEncoding] {
        Set([format(hasAlpha: false), format(hasAlpha: true)]).compactMap { Codecs.codec(of: $0).encoder }
    }

    private func encoder(hasAlpha: Bool) -> (any ImageEncoding)? {
        Codecs.codec(of: format(hasAlpha: hasAlpha)).encoder
    }
}
