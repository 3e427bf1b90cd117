// SPDX-License-Identifier: MIT

/// Says who wrote a value.
///
/// It decides which options the value may set, and whether an address may be on a private network.
package enum Provenance: Sendable, Hashable, CaseIterable {
    /// The user, in arguments, environment variables and settings files.
    case user
    /// The author of a settings file inside the folder of a mirror.
    case mirrorFile
    /// The author of a mirror's ledger, who may be a stranger.
    case ledger
    /// The author of a plan, who may be a stranger.
    case plan
}
