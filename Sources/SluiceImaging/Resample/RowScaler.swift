// SPDX-License-Identifier: MIT

internal import CSluice

/// Scales an image that arrives row by row to one target size.
///
/// As soon as all source rows of a target row have arrived, they are combined into one row, which is then scaled
/// horizontally. The whole source is never held in memory, and the vertical pass first leaves fewer rows for the
/// costlier horizontal one.
final class RowScaler {
    private let source: RowShape
    private let target: (width: Int, height: Int)
    private let scaling: any RowScaling
    private var received = 0
    private var produced = 0
    /// The target rows; until the last one is there, followed by room for what vector code writes beyond a row.
    private var bytes: [UInt8]

    /// Creates a scaler for rows of this width and pixel format.
    ///
    /// `geometry` is in pixels of the full image; `scale` converts these to pixels of the rows. `isShrunk` is true
    /// if a decoder averaged pixels.
    init(
        _ source: RowShape, geometry: ScaleGeometry, scale: (x: Double, y: Double),
        kernel: ThumbnailOptions.Kernel = .lanczos3, isShrunk: Bool = false
    ) {
        self.source = source
        target = (geometry.columns.target, geometry.rows.target)
        func axisScaling(_ axis: ScaleGeometry.Axis, _ length: Int, _ scale: Double) -> AxisScaling {
            AxisScaling(length: length, axis: axis.scaled(by: scale), kernel: kernel, isShrunk: isShrunk)
        }
        let columns = axisScaling(geometry.columns, source.width, scale.x)
        let rows = axisScaling(geometry.rows, source.height, scale.y)
        scaling =
            Self.usesIntegers(source, steps: columns.step, rows.step)
            ? IntegerScaler(source, columns: columns, rows: rows) : FloatScaler(source, columns: columns, rows: rows)
        let count = target.width * target.height * source.layout.channels
        bytes = [UInt8](repeating: 0, count: count + csluice_padding)
    }

    /// Returns whether integer arithmetic suffices; above a thousand rows per target row, weights become too small
    /// for it.
    private static func usesIntegers(_ source: RowShape, steps columns: Double, _ rows: Double) -> Bool {
        source.depth == 8 && (source.layout == .grey || source.layout == .rgb) && max(columns, rows) < 1000
    }

    /// Estimates a scaler's memory in bytes.
    ///
    /// It is small for a photo but gigabytes for a strip of a hundred million pixels in one row. The result is floating
    /// point because a header may declare sizes that overflow an integer.
    static func memory(_ source: RowShape, _ geometry: ScaleGeometry, scale: (x: Double, y: Double)) -> Double {
        func step(_ axis: ScaleGeometry.Axis, _ scale: Double) -> Double { axis.extent * scale / Double(axis.target) }
        func taps(_ step: Double, _ length: Int) -> Double {
            min(Double(length), 2 * ResamplingKernel.lanczos3.radius * max(1, step) + 4)
        }
        let (columnStep, rowStep) = (step(geometry.columns, scale.x), step(geometry.rows, scale.y))
        let columnTaps = taps(columnStep, source.width)
        let rowTaps = taps(rowStep, source.height)
        let bytes = usesIntegers(source, steps: columnStep, rowStep) ? 1.0 : 2.0
        let channels = Double(source.layout.channels)
        let weights =
            Double(geometry.columns.target) * columnTaps * channels * 4 + Double(geometry.rows.target) * rowTaps * 6
        return weights + Double(source.width) * channels * (rowTaps * bytes + 4)
    }

    /// Receives the next source row.
    func receive(_ row: Span<UInt8>) {
        guard received < source.height else { return }
        received += 1
        unsafe row.withUnsafeBufferPointer { unsafe scaling.receive($0) }
        while produced < target.height, scaling.isReady(for: produced) { produceNextRow() }
    }

    /// The scaled image; complete after the last row.
    var raster: Raster {
        Raster(width: target.width, height: target.height, layout: source.layout, bytes: bytes)
    }

    private func produceNextRow() {
        let start = produced * target.width * source.layout.channels
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            if let rows = buffer.baseAddress { unsafe scaling.produce(produced, into: rows + start) }
        }
        produced += 1
        if produced == target.height { bytes.removeLast(csluice_padding) }
    }
}

/// Holds the source rows that a filter needs, and computes target rows from them.
protocol RowScaling {
    /// Receives the next source row.
    func receive(_ row: UnsafeBufferPointer<UInt8>)
    /// Returns whether all source rows of a target row have arrived.
    func isReady(for row: Int) -> Bool
    /// Computes a target row of bytes; `out` has room for `csluice_padding` further bytes.
    func produce(_ row: Int, into out: UnsafeMutablePointer<UInt8>)
}

extension Raster {
    /// Returns the image stretched to a size.
    func resized(to width: Int, _ height: Int) -> Raster {
        guard width != self.width || height != self.height else { return self }
        let size = ThumbnailSize(width: width, height: height)
        return resized(ScaleGeometry(width: self.width, height: self.height, into: size, .fill), by: .lanczos3)
    }

    /// Returns the image scaled down, if necessary, so that no side exceeds `side`.
    func resized(within side: Int, by kernel: ThumbnailOptions.Kernel) -> Raster {
        guard max(width, height) > side else { return self }
        let size = ThumbnailSize(width: side, height: side)
        return resized(ScaleGeometry(width: width, height: height, into: size, .inside), by: kernel)
    }

    private func resized(_ geometry: ScaleGeometry, by kernel: ThumbnailOptions.Kernel) -> Raster {
        let shape = RowShape(width: width, height: height, layout: layout)
        let scaler = RowScaler(shape, geometry: geometry, scale: (x: 1, y: 1), kernel: kernel)
        forEachRow { scaler.receive($0) }
        return scaler.raster
    }
}
