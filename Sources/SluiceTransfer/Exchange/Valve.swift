// SPDX-License-Identifier: MIT

/// Holds up exchanges while the bandwidth is used up, and lets them on in the order in which they came.
///
/// The loop's thread alone touches it, which is what makes it Sendable.
final class Valve: @unchecked Sendable {
    private var bandwidth: Bandwidth
    private var heldUp: [Exchange.ID] = []

    init(_ bytesPerSecond: Int) { bandwidth = Bandwidth(bytesPerSecond, now: .now) }

    /// Whether so many bytes may pass; if not, the exchange is held up.
    func lets(_ bytes: Int, of id: Exchange.ID) -> Bool {
        if bandwidth.take(bytes, now: .now) { return true }
        heldUp.append(id)
        return false
    }

    /// When those that are held up may go on.
    var opening: ContinuousClock.Instant? { heldUp.isEmpty ? nil : bandwidth.opening }

    /// Takes out those that may go on now.
    func open() -> [Exchange.ID] {
        guard let opening, opening <= .now else { return [] }
        defer { heldUp = [] }
        return heldUp
    }
}
