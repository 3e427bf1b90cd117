// SPDX-License-Identifier: MIT

/// When stored files and receipts are flushed to disk.
///
/// Work always survives a crash of the process; this is about power cuts.
public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// Flushes files and receipts together, several times a second, before reporting items as done.
    case batch
    /// Like `batch`, but flushes each file separately.
    ///
    /// Use it if flushing the whole disk takes long, because other programs write a lot.
    case each
    /// Leaves flushing to the system. A power cut may lose or tear the files of the last seconds.
    case none
}
