// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Photos' bytes from the files of a folder that the user named.
struct FolderFiles: Supply {
    let options: MirrorOptions

    /// A look at a file costs nothing.
    var isAskedAgain: Bool { true }
    var asksHosts: Bool { false }

    func bring(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: KnownVersion?,
        slot: WorkPool.Slot, judging judge: @escaping Judge, inspecting inspection: Inspection
    ) async throws(Failure) -> Arrival {
        let file = LocalFile(variant.url, followsLink: variant.name == FileFeed.named)
        return try file.copy(
            into: partial, limit: options.maxBytes, unless: options.refreshes ? nil : known?.etag, token: slot.token,
            judging: judge)
    }
}
