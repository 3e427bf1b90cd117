// SPDX-License-Identifier: MIT

import SluiceDemo
import Testing

@Suite("Generated picture", .timeLimit(.minutes(10))) struct GeneratedPictureTests {
    @Test("Every photo can be generated with its own aspect ratio, and no two are equal") func all() {
        var seen: Set<[UInt8]> = []
        for number in 1...300 {
            let generated = GeneratedPicture(number: number)
            let picture = generated.bitmap(width: 32)
            #expect(picture.height == generated.height(forWidth: 32))
            #expect(stride(from: 3, to: picture.rgba.count, by: 4).allSatisfy { picture.rgba[$0] == 255 })
            #expect(Set(picture.rgba).count > 12)
            seen.insert(picture.rgba)
        }
        #expect(seen.count == 300)
    }

    @Test("A number always gives the same bytes") func same() {
        for number in 1...24 {
            #expect(
                GeneratedPicture(number: number).bitmap(width: 60) == GeneratedPicture(number: number).bitmap(width: 60)
            )
        }
    }

    @Test("A picture at another width shows the same content", arguments: 1...24) func scales(number: Int) {
        let generated = GeneratedPicture(number: number)
        let small = generated.bitmap(width: 90)
        let large = generated.bitmap(width: 180)
        // Both sizes have the same brightness in each ninth.
        for ninth in 0..<9 {
            let difference = abs(small.brightness(ofNinth: ninth) - large.brightness(ofNinth: ninth))
            #expect(difference < 14, "ninth \(ninth)")
        }
    }

    @Test("Tiny and odd sizes and any number can be generated", arguments: [1, 2, 3, 7]) func tiny(width: Int) {
        for number in [-5, 0, 1000, .max] + Array(1...24) {
            #expect(GeneratedPicture(number: number).bitmap(width: width).width == width)
        }
    }

    @Test("A cut-out picture is transparent in its corners and opaque in its middle") func cutOut() {
        let picture = GeneratedPicture(number: 8, isCutOut: true).bitmap(width: 120)
        #expect(picture.alpha(0, 0) == 0)
        #expect(picture.alpha(119, picture.height - 1) == 0)
        #expect(picture.alpha(60, picture.height / 2) == 255)
    }

    /// The comments quote the EXIF specification: the visual position of the stored first row and column.
    @Test("Applying the orientation gives the upright picture", arguments: 1...8)
    func turned(orientation: Int) {
        let upright = GeneratedPicture(number: 2).bitmap(width: 30)
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

extension Bitmap {
    func pixel(_ x: Int, _ y: Int) -> ArraySlice<UInt8> { rgba[((y * width + x) * 4)...].prefix(4) }

    func alpha(_ x: Int, _ y: Int) -> UInt8 { rgba[(y * width + x) * 4 + 3] }

    /// The mean of the channels in one of nine equal fields.
    func brightness(ofNinth ninth: Int) -> Double {
        let (columns, rows) = (width / 3, height / 3)
        var sum = 0
        for y in 0..<rows {
            for x in 0..<columns {
                sum += pixel(ninth % 3 * columns + x, ninth / 3 * rows + y).prefix(3).reduce(0) { $0 + Int($1) }
            }
        }
        return Double(sum) / Double(columns * rows * 3)
    }
}
