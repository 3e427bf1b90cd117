// SPDX-License-Identifier: MIT

/// Where more stops helping, by a rule that can be written down.
public enum Knee {
    /// The share of the best rate that counts as all of it.
    public static let share = 0.9

    /// The first of the settings, from the narrowest, that reaches nine tenths of the best rate of all; `nil` of none.
    public static func index(of rates: [Double]) -> Int? {
        guard let best = rates.max(), best > 0 else { return nil }
        return rates.firstIndex { $0 >= best * share }
    }

    /// The first of the settings whose rate cannot be told from the best one's: the best setting that is not wider than
    /// it has to be.
    public static func best(of spreads: [Spread]) -> Int? {
        guard let best = spreads.max(by: { $0.median < $1.median }), best.median > 0 else { return nil }
        return spreads.firstIndex { $0.high >= best.low && $0.median >= best.median * 0.97 }
    }
}
