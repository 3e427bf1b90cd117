// SPDX-License-Identifier: MIT

internal import CSluice

/// Makes one smaller picture of another that comes row by row.
///
/// As soon as all rows that a target row is made of have come, they are mixed into one, and that one is narrowed: the
/// whole source is never held. Mixing rows first makes the costlier step work on few rows.
final class RowScaler {
    private let source: RowShape
    private let target: (width: Int, height: Int)
    private let scaling: any RowScaling
    private var received = 0
    private var produced = 0
    private var bytes: [UInt8] = []

    /// Makes a scaler of rows of a shape; `fitting` is in pixels of the full picture, which `scale` leads to the rows'.
    ///
    /// `isShrunk` tells that a decoder made each pixel the mean of some.
    init(
        _ source: RowShape, fitting: Fitting, scale: (x: Double, y: Double),
        kernel: ThumbnailOptions.Kernel = .lanczos3, isShrunk: Bool = false
    ) {
        self.source = source
        target = (fitting.columns.target, fitting.rows.target)
        func along(_ axis: Fitting.Axis, _ length: Int, _ scale: Double) -> AxisScaling {
            AxisScaling(length: length, axis: axis.scaled(by: scale), kernel: kernel, isShrunk: isShrunk)
        }
        let columns = along(fitting.columns, source.width, scale.x)
        let rows = along(fitting.rows, source.height, scale.y)
        scaling =
            Self.isPlain(source, steps: columns.step, rows.step)
            ? ByteScaler(source, columns: columns, rows: rows) : PixelScaler(source, columns: columns, rows: rows)
        bytes.reserveCapacity(target.width * target.height * source.layout.channels)
    }

    /// Whether whole numbers do; the weights of more than some thousand rows are too small for them.
    private static func isPlain(_ source: RowShape, steps columns: Double, _ rows: Double) -> Bool {
        source.depth == 8 && (source.layout == .grey || source.layout == .rgb) && max(columns, rows) < 1000
    }

    /// About how many bytes a scaler takes.
    ///
    /// They are few for a picture, but gigabytes for a strip of a hundred million pixels in one row. In floating point,
    /// since a header may claim what no integer holds.
    static func memory(_ source: RowShape, _ fitting: Fitting, scale: (x: Double, y: Double)) -> Double {
        func step(_ axis: Fitting.Axis, _ scale: Double) -> Double { axis.extent * scale / Double(axis.target) }
        func taps(_ step: Double, _ length: Int) -> Double {
            min(Double(length), 2 * Kernel.lanczos3.radius * max(1, step) + 4)
        }
        let (columnStep, rowStep) = (step(fitting.columns, scale.x), step(fitting.rows, scale.y))
        let columnTaps = taps(columnStep, source.width)
        let rowTaps = taps(rowStep, source.height)
        let bytes = isPlain(source, steps: columnStep, rowStep) ? 1.0 : 2.0
        let channels = Double(source.layout.channels)
        let weights =
            Double(fitting.columns.target) * columnTaps * channels * 4 + Double(fitting.rows.target) * rowTaps * 6
        return weights + Double(source.width) * channels * (rowTaps * bytes + 4)
    }

    /// Takes the next row of the source.
    func receive(_ row: Span<UInt8>) {
        guard received < source.height else { return }
        received += 1
        unsafe row.withUnsafeBufferPointer { unsafe scaling.receive($0) }
        while produced < target.height, scaling.isReady(for: produced) { produce() }
    }

    /// The picture, once the last row has come.
    var raster: Raster {
        Raster(width: target.width, height: target.height, layout: source.layout, bytes: bytes)
    }

    private func produce() {
        let count = target.width * source.layout.channels
        bytes += unsafe [UInt8](unsafeUninitializedCapacity: count + csluice_slack) { buffer, filled in
            if let out = buffer.baseAddress { unsafe scaling.make(produced, into: out) }
            filled = count
        }
        produced += 1
    }
}
