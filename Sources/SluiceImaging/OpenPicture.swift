// SPDX-License-Identifier: MIT

/// A picture whose header was read: what it is, and what a decode of it will take.
public struct OpenPicture: Sendable {
    let source: PictureBytes
    let header: PictureHeader
    /// About how many bytes a decode takes at once, by the header and the sizes wanted.
    public internal(set) var memory = 0
    /// What is wrong with the part of the file that was read, where that is no reason to stop.
    var damage: ImagingError?

    init(source: PictureBytes, header: PictureHeader, damage: ImagingError? = nil) {
        (self.source, self.header, self.damage) = (source, header, damage)
    }

    /// What the picture is.
    public var info: ImageInfo { header.info }
}

extension PictureDecoding {
    /// What every decode takes: the codec's own tables and buffers, the rows under way.
    private static var least: Double { 1_048_576 }

    /// About how many bytes a decode for these scalers takes, of a file of `count` bytes.
    func memory(for header: PictureHeader, count: Int, _ scalers: ScalerSet, isLinear: Bool) -> Int {
        let size = size(of: header, wanted: scalers.wanted)
        var shape = RowShape(of: header.info, width: size.width, height: size.height)
        if isLinear { shape.depth = 16 }
        let memory = Double(memory(for: header, count: count, size: size)) + scalers.memory(shape) + Self.least
        return Int(min(memory, 1e18))
    }
}
