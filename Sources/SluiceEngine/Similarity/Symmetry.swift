// SPDX-License-Identifier: MIT

/// One of the eight ways to turn and mirror a picture by right angles.
struct Symmetry: Sendable, Hashable {
    /// Whether the axes are exchanged, before the directions are reversed.
    var swapsAxes = false
    /// Whether left and right are exchanged.
    var reversesX = false
    /// Whether top and bottom are exchanged.
    var reversesY = false

    /// All eight, the one that changes nothing first.
    static let all: [Symmetry] = [false, true].flatMap { swaps in
        [false, true].flatMap { reversesY in
            [false, true].map { Symmetry(swapsAxes: swaps, reversesX: $0, reversesY: reversesY) }
        }
    }

    /// Returns an estimate of the perceptual hash of a picture that is turned or mirrored like this.
    ///
    /// Mirroring negates every second frequency, and exchanging the axes exchanges the frequencies of both. The
    /// estimate is exact if the median of the frequencies is 0; it usually differs in few bits.
    func hash(of hash: UInt64) -> UInt64 {
        var hash = hash
        if reversesX { hash ^= 0x5555_5555_5555_5555 }
        if reversesY { hash ^= 0x00FF_00FF_00FF_00FF }
        return swapsAxes ? Self.transposed(hash) : hash
    }

    /// Exchanges the rows and columns of a square of 8 by 8 bits.
    private static func transposed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        var moved = (bits ^ bits >> 7) & 0x00AA_00AA_00AA_00AA
        bits ^= moved ^ moved << 7
        moved = (bits ^ bits >> 14) & 0x0000_CCCC_0000_CCCC
        bits ^= moved ^ moved << 14
        moved = (bits ^ bits >> 28) & 0x0000_0000_F0F0_F0F0
        return bits ^ moved ^ moved << 28
    }
}
