// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What becomes of the memory that `--memory` gives a run: the one place where it is divided.
///
/// A small part is for what is under way elsewhere, all the rest for decodes, which ask for their shares by what their
/// headers tell. What the program itself takes comes on top: it is the same for every run.
struct MemoryPlan: Sendable, Hashable {
    /// Of this many parts one is for transfers and events.
    private static let parts = 32
    /// Below this a second worker would be dearer than what it brings...
    private static let ofOneWorker = 128 << 20
    /// ...and each further one asks for so much more.
    private static let ofEachWorker = 32 << 20

    /// All that there is, in bytes.
    let total: Int

    /// Divides so many bytes.
    init(_ total: Int) { self.total = max(Self.parts, total) }

    /// What bodies and the connections' buffers may take together.
    var transfers: Int { total / Self.parts / 2 }

    /// How many events may wait for a reader as they are: half a kilobyte each, since those of one item share what they say.
    var events: Int { max(1024, total / Self.parts / 2 / 512) }

    /// What all decodes may take together.
    var decodes: Int { total - total / Self.parts }

    /// How many pictures are decoded at once, of as many as are wanted: processes of their own have a price.
    func decoders(of wanted: Int, _ isolation: Isolation) -> Int {
        if case .none = isolation { return wanted }
        return min(wanted, 1 + max(0, total - Self.ofOneWorker) / Self.ofEachWorker)
    }

    /// Why a picture whose decode takes so much can never be decoded; `nil` where it can.
    func refusal(ofDecodeTaking amount: Int) -> Failure? {
        guard amount > decodes else { return nil }
        // Up, so that the two never look the same, and what is advised is enough.
        let (whole, overflow) = amount.addingReportingOverflow(amount / (Self.parts - 1) + 1)
        let enough = overflow ? "more" : "\((whole >> 20) + 1)M"
        return Failure(
            .decodeLimit,
            "takes about \((amount >> 20) + 1) MB to decode (limit \(decodes >> 20)); --memory \(enough) allows that")
    }
}
