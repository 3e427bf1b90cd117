// SPDX-License-Identifier: MIT

/// The picture of a photo number: the same number always paints the same bytes, at any width.
public struct Painting: Sendable {
    /// The photo's number.
    public let number: Int
    /// The upright picture's full width in pixels.
    public let width: Int
    /// The upright picture's full height in pixels.
    public let height: Int
    /// Whether the picture is cut out, with nothing around it.
    public let isCutOut: Bool
    let motif: Motif

    /// Sizes as cameras and croppers make them; landscapes are the most.
    private static let sizes = [
        (2400, 1600), (1600, 2400), (2400, 1600), (2200, 1650), (1800, 1800), (2400, 1350), (1500, 2250), (2400, 1600),
        (2000, 1333), (2800, 1200), (1650, 2200), (2400, 1600), (2560, 1440), (1600, 2000), (2100, 1400), (1600, 1600),
        (2400, 1800), (1440, 2160), (3000, 1000),
    ]

    /// The picture of a number from 1.
    public init(number: Int, isCutOut: Bool = false) {
        let size = Self.sizes[Int((number &* 7).magnitude % UInt(Self.sizes.count))]
        self.init(number: number, motif: Motif(number: number), width: size.0, height: size.1, isCutOut: isCutOut)
    }

    init(number: Int, motif: Motif, width: Int, height: Int, isCutOut: Bool = false) {
        self.number = number
        self.motif = motif
        self.width = width
        self.height = height
        self.isCutOut = isCutOut
    }

    /// The height that goes with a width.
    public func height(forWidth width: Int) -> Int { max(1, (width * height + self.width / 2) / self.width) }

    /// Paints the upright picture at that width.
    public func picture(width: Int) -> Picture {
        var canvas = Canvas(width: width, height: height(forWidth: width))
        Scene(motif: motif, number: number).paint(on: &canvas)
        Lettering(number: number, inset: isCutOut ? 0.09 : 0).draw(on: &canvas)
        if isCutOut { canvas.cutOut() }
        return canvas.picture()
    }

    /// The colour that stands for the whole picture.
    var color: Color {
        let scene = Scene(motif: motif, number: number)
        return motif.isAbstract
            ? scene.palette[1].mixed(scene.palette[0], 0.3) : scene.light.sky(at: 0.6).mixed(scene.light.far, 0.4)
    }
}
