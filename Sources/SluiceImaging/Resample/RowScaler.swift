// SPDX-License-Identifier: MIT

internal import CSluice

/// Makes one smaller picture of another that comes row by row.
///
/// As soon as all rows that a target row is made of have come, they are mixed into one, and that one is narrowed: the
/// whole source is never held. Mixing rows first makes the costlier step work on few rows.
final class RowScaler {
    private let source: RowShape
    private let fitting: Fitting
    private let columns: AxisWeights
    private let rows: AxisWeights
    private let ring: RowRing
    private let mixed: SampleBuffer<Float>
    private let narrowed: SampleBuffer<Float>
    private var received = 0
    private var produced = 0
    private var bytes: [UInt8] = []

    /// Makes a scaler of rows of a shape; `fitting` is in pixels of the full picture, which `scale` leads to the rows'.
    init(_ source: RowShape, fitting: Fitting, scale: (x: Double, y: Double), kernel: Kernel = .lanczos3) {
        self.source = source
        self.fitting = fitting
        columns = AxisWeights(
            length: source.width, axis: fitting.columns.scaled(by: scale.x), kernel: kernel,
            channels: source.layout.channels)
        rows = AxisWeights(length: source.height, axis: fitting.rows.scaled(by: scale.y), kernel: kernel)
        let channels = source.layout.channels
        let slack = csluice_slack
        ring = RowRing(source, rows)
        mixed = SampleBuffer(count: (source.width + columns.taps) * channels + slack, zero: 0)
        narrowed = SampleBuffer(count: fitting.columns.target * channels + slack, zero: 0)
        bytes.reserveCapacity(fitting.columns.target * fitting.rows.target * channels)
    }

    /// About how many bytes a scaler takes.
    ///
    /// They are few for a picture, but gigabytes for a strip of a hundred million pixels in one row. In floating point,
    /// since a header may claim what no integer holds.
    static func memory(_ source: RowShape, _ fitting: Fitting, scale: (x: Double, y: Double)) -> Double {
        func taps(_ axis: Fitting.Axis, _ length: Int, _ scale: Double) -> Double {
            min(Double(length), 2 * Kernel.lanczos3.radius * max(1, axis.extent * scale / Double(axis.target)) + 4)
        }
        let columnTaps = taps(fitting.columns, source.width, scale.x)
        let rowTaps = taps(fitting.rows, source.height, scale.y)
        let channels = Double(source.layout.channels)
        let weights =
            Double(fitting.columns.target) * columnTaps * channels * 4 + Double(fitting.rows.target) * rowTaps * 6
        return weights + Double(source.width) * channels * (rowTaps * 2 + 4)
    }

    /// Takes the next row of the source.
    func receive(_ row: Span<UInt8>) {
        guard received < source.height else { return }
        ring.put(row, number: received)
        received += 1
        while produced < fitting.rows.target, rows.end(of: produced) <= received { produce() }
    }

    /// The picture, once the last row has come.
    var raster: Raster {
        Raster(width: fitting.columns.target, height: fitting.rows.target, layout: source.layout, bytes: bytes)
    }

    private func produce() {
        ring.mix(produced, into: mixed)
        narrow()
        round()
        produced += 1
    }

    private func narrow() {
        unsafe columns.firsts.withUnsafeBufferPointer { firsts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe csluice_mix_pixels(
                    mixed.base, firsts, weights, columns.taps, narrowed.base, fitting.columns.target,
                    Int32(source.layout.channels))
            }
        }
    }

    private func round() {
        let pixels = fitting.columns.target
        if let curves = source.curves {
            bytes += curves.darken(narrowed, pixels: pixels)
            return
        }
        let count = pixels * source.layout.channels
        let peak = ring.peak
        let row = unsafe [UInt8](unsafeUninitializedCapacity: count + csluice_slack) { buffer, filled in
            guard let out = buffer.baseAddress else { return }
            if source.layout == .rgba {
                unsafe csluice_round_unmultiplied(narrowed.base, peak, out, pixels)
            } else {
                unsafe csluice_round_all(narrowed.base, 255 / peak, out, count)
            }
            filled = count
        }
        bytes += row
    }
}
