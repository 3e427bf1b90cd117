// SPDX-License-Identifier: MIT

/// Encodes small integers as a mixture of runs and bit-packed groups of eight: levels and dictionary indices.
struct HybridEncoder {
    /// The groups that fit into the single byte of a run's header.
    private static let maxGroups = 63
    private static let groupSize = 8

    private var bytes: [UInt8] = []
    private let width: Int
    /// The values of the current group.
    private var group = [8 of UInt32](repeating: 0)
    private var groupCount = 0
    /// The last value, and the number of its repetitions.
    private var last: UInt32 = 0
    private var repetitions = 0
    /// The bit-packed run that may continue: the position of its header, and its number of groups.
    private var packed: (header: Int, groups: Int)?

    /// Starts without values; each value has `width` bits, at most 32.
    init(width: Int) { self.width = width }

    /// Returns the number of bits that the largest value needs.
    static func width(of largest: Int) -> Int { Int.bitWidth - largest.leadingZeroBitCount }

    mutating func append(_ value: UInt32) {
        if value == last {
            repetitions += 1
            if repetitions >= Self.groupSize { return }
        } else {
            if repetitions >= Self.groupSize { endRun() }
            last = value
            repetitions = 1
        }
        group[groupCount] = value
        groupCount += 1
        if groupCount == Self.groupSize { endGroup() }
    }

    mutating func finish() -> [UInt8] {
        if repetitions >= Self.groupSize {
            endRun()
        } else if groupCount > 0 {
            for index in groupCount..<Self.groupSize { group[index] = 0 }
            endGroup()
        }
        endPacked()
        return bytes
    }

    private mutating func endRun() {
        endPacked()
        bytes.appendVarint(UInt64(repetitions) << 1)
        bytes.appendLittleEndian(UInt64(last), count: (width + 7) / 8)
        repetitions = 0
        groupCount = 0
    }

    private mutating func endGroup() {
        if packed?.groups == Self.maxGroups { endPacked() }
        if packed == nil {
            packed = (bytes.count, 0)
            bytes.append(0)
        }
        packed?.groups += 1
        var (bits, count): (UInt64, Int) = (0, 0)
        for index in group.indices {
            bits |= UInt64(group[index]) << UInt64(count)
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }
        groupCount = 0
        repetitions = 0
    }

    private mutating func endPacked() {
        guard let packed else { return }
        bytes[packed.header] = UInt8(packed.groups << 1 | 1)
        self.packed = nil
    }
}
