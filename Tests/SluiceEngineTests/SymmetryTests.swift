// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceEngine

@Suite("Symmetries", .timeLimit(.minutes(10))) struct SymmetryTests {
    @Test("A symmetry and its inverse, and two in a row, map places as expected")
    func places() {
        for first in Symmetry.all {
            for second in Symmetry.all {
                let (x, y) = first(0.2, 0.7)
                let (wantedX, wantedY) = second(x, y)
                let both = first.followed(by: second)(0.2, 0.7)
                #expect(abs(both.x - wantedX) < 1e-9 && abs(both.y - wantedY) < 1e-9)
            }
            #expect(first.followed(by: first.inverse) == Symmetry())
        }
        #expect(Set(Symmetry.all).count == 8)
    }

    @Test("The hash of a turned picture is exchanged in rows, columns and signs")
    func hashes() {
        let hash: UInt64 = 0xCE57_074F_2F86_0E07
        for symmetry in Symmetry.all { #expect(symmetry.inverse.hash(of: symmetry.hash(of: hash)) == hash) }
        // The bit of the second column of the first row becomes that of the first column of the second row.
        #expect(Symmetry(swapsAxes: true).hash(of: 1 << 62) == 1 << 55)
        #expect(Symmetry(reversesX: true).hash(of: 0) == 0x5555_5555_5555_5555)
    }

    @Test("Pairs to ignore are read without regard to order, case and comments")
    func ignoredPairs() throws {
        let (first, second) = (String(repeating: "a", count: 64), String(repeating: "0", count: 64))
        let pairs = try IgnoredPairs("# both are blank\n\n\(first.uppercased()) \(second) # pages\r\n")
        #expect(pairs.contains(first, second) && pairs.contains(second, first) && !pairs.contains(first, first))
        for line in ["\(first)", "\(first) \(second.dropLast())", "\(first) \(second) \(second)", "x y"] {
            #expect(throws: InvalidText.self) { try IgnoredPairs("\n\(line)") }
        }
    }
}
