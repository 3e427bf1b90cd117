// SPDX-License-Identifier: MIT

/// Receives a decoded image row by row.
protocol RowReceiving: AnyObject {
    /// Announces the format of the rows; called once, before the first row.
    func begin(_ shape: RowShape) throws(ImagingError)
    /// Receives the next row: `width * channels` samples in the machine's byte order.
    func receive(_ row: Span<UInt8>)
}

/// The dimensions and the sample format of decoded rows.
struct RowShape {
    var width: Int
    var height: Int
    var layout: PixelLayout
    /// Bits per sample, 8 or 16.
    var depth = 8
    /// The width of the whole image in units of these pixels; less than ``width`` if the last column covers only part
    /// of a pixel.
    var exactWidth: Double
    /// The height of the whole image in units of these pixels.
    var exactHeight: Double
    /// The curves that converted the samples to linear light; `nil` if the samples are unconverted.
    var curves: LinearLightCurves?

    init(width: Int, height: Int, layout: PixelLayout) {
        (self.width, self.height, self.layout) = (width, height, layout)
        exactWidth = Double(width)
        exactHeight = Double(height)
    }

    /// Creates the shape of an image's rows from its header, for a decode to the given size.
    init(of info: ImageInfo, width: Int, height: Int) {
        let layout: PixelLayout =
            switch info.colorModel {
            case .cmyk: .cmyk
            case .grey, .rgb: info.hasAlpha ? .rgba : info.colorModel == .grey ? .grey : .rgb
            }
        self.init(width: width, height: height, layout: layout)
        depth = info.bitDepth == 16 ? 16 : 8
    }

    /// The size of a row in bytes.
    var rowBytes: Int { width * layout.channels * depth / 8 }
}

/// Owns zero-initialized memory for samples.
///
/// Unlike an array, it never copies its contents implicitly.
@safe struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Sample>
    let count: Int

    init(count: Int, zero: Sample) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: zero, count: count)
        self.count = count
    }

    deinit { unsafe base.deallocate() }

    /// Passes a range of the samples to `body`.
    func withSpan(_ range: Range<Int>, _ body: (Span<Sample>) -> Void) {
        precondition(range.upperBound <= count, "the range lies within the buffer")
        unsafe body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count).span)
    }

    /// Passes all samples to `body` as bytes.
    func withBytes(_ body: (Span<UInt8>) -> Void) {
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count * MemoryLayout<Sample>.stride)
        unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// Copies samples to an offset.
    func copy(_ samples: Span<Sample>, to offset: Int) {
        precondition(offset >= 0 && offset + samples.count <= count, "the samples fit into the buffer")
        for index in samples.indices { unsafe base[offset + index] = samples[index] }
    }

    /// Sets all samples to one value.
    func fill(_ sample: Sample) {
        unsafe base.update(repeating: sample, count: count)
    }
}
