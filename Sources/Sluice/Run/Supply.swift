// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Where photos' bytes come from: the hosts that a feed names, or the folder that the user named.
protocol Supply: Sendable {
    /// Whether what stands in the mirror is held against what is there now, before it is kept.
    var isAskedAgain: Bool { get }
    /// Whether hosts are asked for them, and not only the disk.
    var asksHosts: Bool { get }
    /// Brings a photo's bytes into a file, as far as the first of them are those of a picture that is wanted, and the last
    /// of them where it ends.
    func bring(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: KnownVersion?,
        slot: WorkPool.Slot, judging judge: @escaping Judge, inspecting inspection: Inspection
    ) async throws(Failure) -> Arrival
}
