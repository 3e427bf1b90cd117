// SPDX-License-Identifier: MIT

extension PictureHeader {
    /// The most bytes of a colour profile that is believed.
    static let mostProfileBytes = 4 << 20

    /// Puts the parts of the colour profile together; `nil` if there is none, or it is too big.
    func readProfile(_ source: PictureBytes) throws(ImagingError) -> [UInt8]? {
        let total = profile.reduce(0) { $0 + $1.count }
        guard total > 0, total <= Self.mostProfileBytes else { return nil }
        var bytes: [UInt8] = []
        for part in profile { bytes += try source.read(at: part.lowerBound, count: part.count) }
        return bytes
    }
}
