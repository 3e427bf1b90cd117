// SPDX-License-Identifier: MIT

/// Converts a decoder's rows to linear light and forwards them to the scalers.
final class LinearLightConverter: RowReceiving {
    private let receiver: ScalerSet
    private let profile: [UInt8]?
    private let isGrey: Bool
    private var curves: LinearLightCurves?
    private var row = SampleBuffer<UInt16>(count: 0, zero: 0)
    /// The reason why rows are forwarded unconverted, if they are.
    private(set) var note: String?

    /// Creates a converter that uses an embedded profile, or sRGB without one.
    init(_ receiver: ScalerSet, profile: [UInt8]?, isGrey: Bool) {
        (self.receiver, self.profile, self.isGrey) = (receiver, profile, isGrey)
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        curves = LinearLightCurves(profile, of: shape, isGrey: isGrey)
        guard let curves else {
            note = "not resampled in linear light: the profile has no tone curves"
            return receiver.begin(shape)
        }
        var light = shape
        light.depth = 16
        light.curves = curves
        receiver.begin(light)
        row = SampleBuffer(count: shape.width * shape.layout.channels, zero: 0)
    }

    func receive(_ row: Span<UInt8>) {
        guard let curves else { return receiver.receive(row) }
        curves.linearize(row, into: self.row)
        self.row.withBytes { receiver.receive($0) }
    }
}
