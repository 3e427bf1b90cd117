// SPDX-License-Identifier: MIT

/// A picture that is generated from a number: the same number and width always give the same bytes.
package struct GeneratedPicture: Sendable {
    /// The number that determines the picture.
    package let number: Int
    /// The full width of the upright picture in pixels.
    package let width: Int
    /// The full height of the upright picture in pixels.
    package let height: Int
    /// Whether the area around a rounded shape is transparent.
    package let isCutOut: Bool
    let motif: Motif

    /// Typical sizes of photos, mostly landscape format.
    private static let sizes = [
        (2400, 1600), (1600, 2400), (2400, 1600), (2200, 1650), (1800, 1800), (2400, 1350), (1500, 2250), (2400, 1600),
        (2000, 1333), (2800, 1200), (1650, 2200), (2400, 1600), (2560, 1440), (1600, 2000), (2100, 1400), (1600, 1600),
        (2400, 1800), (1440, 2160), (3000, 1000),
    ]

    /// Creates the picture with a number from 1.
    package init(number: Int, isCutOut: Bool = false) {
        let size = Self.sizes[Int((number &* 7).magnitude % UInt(Self.sizes.count))]
        (self.number, self.isCutOut, motif) = (number, isCutOut, Motif(number: number))
        (width, height) = size
    }

    /// Returns the height for a width, at the picture's aspect ratio.
    package func height(forWidth width: Int) -> Int { max(1, (width * height + self.width / 2) / self.width) }

    /// Paints the upright picture at the given width.
    package func bitmap(width: Int) -> Bitmap {
        var canvas = Canvas(width: width, height: height(forWidth: width))
        Scene(motif: motif, number: number).paint(on: &canvas)
        if isCutOut { canvas.cutOut() }
        return canvas.bitmap()
    }

    /// The representative colour of the picture.
    var color: Color {
        let lighting = Scene(motif: motif, number: number).lighting
        return lighting.sky(at: 0.6).mixed(lighting.far, 0.4)
    }
}

/// The subject of a generated picture.
enum Motif: Sendable {
    case mountains, lake, forest, paper

    /// The motifs of consecutive photos; the same motif never comes twice in a row.
    private static let cycle: [Motif] = [
        .mountains, .lake, .paper, .forest, .lake, .mountains, .forest, .mountains, .paper, .lake, .forest,
    ]

    init(number: Int) {
        self = Self.cycle[Int((number &- 1).magnitude % UInt(Self.cycle.count))]
    }
}
