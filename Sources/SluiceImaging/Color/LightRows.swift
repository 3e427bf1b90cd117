// SPDX-License-Identifier: MIT

/// Takes a decoder's rows and hands them on as light, so that pixels are mixed as the eye mixes them.
final class LightRows: RowReceiving {
    private let receiver: ScalerSet
    private let profile: [UInt8]?
    private let isGrey: Bool
    private var curves: LightCurves?
    private var row = SampleBuffer<UInt16>(count: 0, zero: 0)
    /// Why the rows went on as they are, if they did.
    private(set) var note: String?

    /// Makes a step before the scalers, by an embedded profile or by sRGB.
    init(_ receiver: ScalerSet, profile: [UInt8]?, isGrey: Bool) {
        self.receiver = receiver
        self.profile = profile
        self.isGrey = isGrey
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        curves = LightCurves(profile, of: shape, isGrey: isGrey)
        guard let curves else {
            note = "not resampled in linear light: the colours have no curves"
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
        curves.lighten(row, into: self.row)
        self.row.withBytes { receiver.receive($0) }
    }
}
