// SPDX-License-Identifier: MIT

/// The values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}
