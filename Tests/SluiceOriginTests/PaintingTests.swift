// SPDX-License-Identifier: MIT

import SluiceOrigin
import Testing

@Suite("Painting", .timeLimit(.minutes(10))) struct PaintingTests {
    @Test("every photo can be painted, in its own proportions, and no two are alike") func all() {
        var seen: Set<[UInt8]> = []
        for number in 1...300 {
            let painting = Painting(number: number)
            let picture = painting.picture(width: 32)
            #expect(picture.height == painting.height(forWidth: 32))
            #expect(stride(from: 3, to: picture.rgba.count, by: 4).allSatisfy { picture.rgba[$0] == 255 })
            #expect(Set(picture.rgba).count > 12)
            seen.insert(picture.rgba)
        }
        #expect(seen.count == 300)
    }

    @Test("a number paints the same bytes each time") func same() {
        for number in 1...24 {
            #expect(Painting(number: number).picture(width: 60) == Painting(number: number).picture(width: 60))
        }
    }

    @Test("a picture at another width shows the same, only smaller", arguments: 1...24) func scales(number: Int) {
        let painting = Painting(number: number)
        let small = painting.picture(width: 90)
        let large = painting.picture(width: 180)
        // Two sizes of one picture are as bright in each ninth of it, but the one with the label, which stays legible.
        for place in 0..<9 where place != 6 {
            let difference = abs(small.brightness(ofNinth: place) - large.brightness(ofNinth: place))
            #expect(difference < 14, "ninth \(place)")
        }
    }

    @Test("tiny and odd sizes and numbers are painted too", arguments: [1, 2, 3, 7]) func tiny(width: Int) {
        for number in [-5, 0, 1000, .max] + Array(1...24) {
            #expect(Painting(number: number).picture(width: width).width == width)
        }
    }

    @Test("a cut-out picture has nothing in its corners and all in its middle") func cutOut() {
        let picture = Painting(number: 8, isCutOut: true).picture(width: 120)
        #expect(picture.alpha(0, 0) == 0)
        #expect(picture.alpha(119, picture.height - 1) == 0)
        #expect(picture.alpha(60, picture.height / 2) == 255)
    }

    /// What each orientation tells a viewer to do, in EXIF's own words: where the stored first row and column belong.
    @Test("a viewer who obeys the orientation sees the upright picture", arguments: 1...8)
    func turned(orientation: Int) {
        let upright = Painting(number: 2).picture(width: 30)
        let stored = upright.stored(asOrientation: orientation)
        let (width, height) = (upright.width, upright.height)
        #expect((stored.width, stored.height) == (orientation < 5 ? (width, height) : (height, width)))
        for row in 0..<stored.height {
            for column in 0..<stored.width {
                let (x, y) =
                    switch orientation {
                    case 1: (column, row)  // row: top, column: left
                    case 2: (width - 1 - column, row)  // top, right
                    case 3: (width - 1 - column, height - 1 - row)  // bottom, right
                    case 4: (column, height - 1 - row)  // bottom, left
                    case 5: (row, column)  // left, top
                    case 6: (width - 1 - row, column)  // right, top
                    case 7: (width - 1 - row, height - 1 - column)  // right, bottom
                    default: (row, height - 1 - column)  // left, bottom
                    }
                #expect(stored.pixel(column, row) == upright.pixel(x, y))
            }
        }
    }
}

extension Picture {
    func pixel(_ x: Int, _ y: Int) -> ArraySlice<UInt8> { rgba[((y * width + x) * 4)...].prefix(4) }

    func alpha(_ x: Int, _ y: Int) -> UInt8 { rgba[(y * width + x) * 4 + 3] }

    /// The mean of the channels in one of nine fields.
    func brightness(ofNinth place: Int) -> Double {
        let (columns, rows) = (width / 3, height / 3)
        var sum = 0
        for y in 0..<rows {
            for x in 0..<columns {
                sum += pixel(place % 3 * columns + x, place / 3 * rows + y).prefix(3).reduce(0) { $0 + Int($1) }
            }
        }
        return Double(sum) / Double(columns * rows * 3)
    }
}
