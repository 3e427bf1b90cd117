// SPDX-License-Identifier: MIT

/// Numbers names in the order in which they were added, in little memory: about 17 bytes and the text for each.
///
/// A dictionary with texts as keys takes five times as much, and a plan may have millions of hosts.
struct NameTable: Sendable {
    private var text: [UInt8] = []
    private var ends: [Int] = []
    /// The positions of names by their hashes, with open addressing; at least a third is empty.
    private var slots: [Int32] = Array(repeating: Self.empty, count: 16)
    private static let empty: Int32 = -1

    var count: Int { ends.count }

    subscript(number: Int) -> String { String(decoding: bytes(number), as: UTF8.self) }

    /// Returns the number of a name, which is added unless it is known.
    mutating func number(of name: String) -> Int {
        let slot = slot(of: name.utf8)
        if slots[slot] != Self.empty { return Int(slots[slot]) }
        slots[slot] = Int32(count)
        text += name.utf8
        ends.append(text.count)
        if count > slots.count / 3 * 2 { grow() }
        return count - 1
    }

    private func bytes(_ number: Int) -> ArraySlice<UInt8> { text[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

    /// The slot that has this name, or else the empty one where it belongs.
    private func slot(of name: some Sequence<UInt8>) -> Int {
        var hasher = Hasher()
        for byte in name { hasher.combine(byte) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != Self.empty, !bytes(Int(slots[slot])).elementsEqual(name) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Self.empty, count: slots.count * 2)
        for number in ends.indices { slots[slot(of: bytes(number))] = Int32(number) }
    }
}
