// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Photos' bytes from the hosts that the feed names.
struct Downloads: Supply {
    let options: MirrorOptions
    /// Whether the hosts' `robots.txt` are kept to: the user's word, else the feed's.
    let keepsToRobots: Bool
    let transfers: Transfers
    let recorder: Recorder

    var isAskedAgain: Bool { options.refreshes }
    var asksHosts: Bool { true }

    func bring(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: KnownVersion?,
        slot: WorkPool.Slot, judging judge: @escaping Judge, inspecting inspection: Inspection
    ) async throws(Failure) -> Arrival {
        var request = Request(variant.address, limit: options.maxBytes, timeout: options.timeout)
        request.known = known
        request.keepsToRobots = keepsToRobots
        request.honoursOptOut = options.network.honoursOptOut
        return try await transfers.download(request, into: partial, slot: slot, judging: judge) {
            recorder.record(Event($0, of: item))
        } checking: { (response) throws(Failure) in
            // The host has nothing to do with how long that takes.
            slot.leaveHost()
            try inspection.pass(response)
        }
    }
}
