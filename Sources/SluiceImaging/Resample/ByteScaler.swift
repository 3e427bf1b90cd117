// SPDX-License-Identifier: MIT

internal import CSluice

/// Scales rows of bytes, which are grey or RGB.
///
/// Channels lie one behind the other within a row, since samples that are neighbours are narrowed fastest; and the last
/// few rows, as many as the kernel reaches over, lie in pairs, which processors multiply and add at once.
@safe final class ByteScaler: RowScaling {
    private let width: Int
    private let channels: Int
    private let target: Int
    private let rows: WholeWeights
    private let columns: WholeWeights
    private let memory: SampleBuffer<UInt16>
    private let capacity: Int
    private let stride: Int
    private let mixed: SampleBuffer<Int16>
    private let narrowed: SampleBuffer<UInt8>
    private var received = 0

    init(_ shape: RowShape, columns: AxisScaling, rows: AxisScaling) {
        width = shape.width
        channels = shape.layout.channels
        target = columns.axis.target
        self.columns = .known(for: columns, paired: false)
        self.rows = .known(for: rows, paired: true)
        let samples = width * channels
        let slack = csluice_slack
        stride = (samples + slack - 1) / slack * slack
        capacity = self.rows.taps / 2
        memory = SampleBuffer(count: stride * capacity, zero: 0)
        mixed = SampleBuffer(count: samples + self.columns.taps + slack, zero: 0)
        narrowed = SampleBuffer(count: (target + slack) * channels, zero: 0)
    }

    func receive(_ row: UnsafeBufferPointer<UInt8>) {
        guard let samples = row.baseAddress else { return }
        let slot = unsafe memory.base + received / 2 % capacity * stride
        unsafe csluice_pair_row(slot, samples, width, Int32(channels), Int32(received % 2))
        received += 1
    }

    func isReady(for row: Int) -> Bool { rows.ends[row] <= received }

    func make(_ row: Int, into out: UnsafeMutablePointer<UInt8>) {
        mix(row)
        guard channels == 3 else { return unsafe narrow(mixed.base, into: out) }
        let room = target + Int(csluice_slack)
        for channel in 0..<channels {
            unsafe narrow(mixed.base + channel * width, into: narrowed.base + channel * room)
        }
        unsafe csluice_join_rgb(narrowed.base, room, out, target)
    }

    private func mix(_ row: Int) {
        let ring = unsafe csluice_ring(rows: memory.base, stride: stride, capacity: capacity)
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let start = weights.baseAddress else { return }
            unsafe csluice_mix_pairs(
                ring, Int(rows.firsts[row]), start + row * rows.taps, rows.counts[row], mixed.base, width * channels)
        }
    }

    private func narrow(_ samples: UnsafePointer<Int16>, into out: UnsafeMutablePointer<UInt8>) {
        unsafe columns.firsts.withUnsafeBufferPointer { firsts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe csluice_narrow(samples, firsts, weights, columns.taps, out, target)
            }
        }
    }
}
