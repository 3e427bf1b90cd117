// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Quantities", .timeLimit(.minutes(5))) struct QuantityTests {
    @Test(
        "A decimal becomes the nearest integer that others have exactly",
        arguments: [
            (1.5, 2), (-1.5, -2), (0.2, 0), (.nan, 0), (.infinity, 1 << 53), (-.infinity, -(1 << 53)), (1e300, 1 << 53),
            (.leastNonzeroMagnitude, 0), (1e16, 1 << 53),
        ] as [(Double, Int)])
    func rounding(number: Double, expected: Int) {
        #expect(Int(rounding: number) == expected)
    }

    @Test("A decimal is rounded by the given rule")
    func rules() {
        #expect(Int(rounding: 1.2, .up) == 2)
        #expect(Int(rounding: -1.2, .down) == -2)
        #expect(Int(rounding: 1.9, .towardZero) == 1)
    }

    @Test("Sums stay within their range, so that a few of them can be added")
    func sums() {
        #expect([1, 2, 3].sum { $0 } == 6)
        #expect([Int.max, Int.max].sum { $0 } == 1 << 60)
        #expect([Int.min, -1].sum { $0 } == -(1 << 60))
        var sum = 1 << 60
        sum.add(.max)
        #expect(sum == 1 << 60 && sum + sum + sum > 0)
        #expect((1 << 60).adding(-1) == (1 << 60) - 1)
    }

    @Test("The ends of the ranges bear the arithmetic that they promise")
    func ranges() {
        let side = Quantity.sides.upperBound
        #expect(side.multipliedReportingOverflow(by: side).overflow == false)
        #expect(Quantity.times.upperBound.multipliedReportingOverflow(by: 1000).overflow == false)
        #expect(Quantity.range.upperBound.multipliedReportingOverflow(by: 512).overflow == false)
    }

    @Test("A photo and its renditions keep only possible numbers", arguments: [Int.min, -1, 0, .max])
    func photo(number: Int) throws {
        var photo = Photo(id: "1")
        (photo.width, photo.height) = (number, number)
        #expect(photo.width == nil && photo.height == nil)
        photo.date = number
        #expect((photo.date == nil) == (number == .min || number == .max))
        var variant = Variant(name: "a", url: "http://a.test/", width: number, height: number)
        #expect(variant.width == nil && variant.height == nil)
        (variant.width, variant.height) = (number, 7)
        #expect(variant.width == nil && variant.height == 7)
    }

    @Test(
        "JSON numbers are read within the limits of their kind",
        arguments: [
            ("9223372036854775807", nil, nil, nil, nil), ("-9223372036854775808", nil, nil, nil, nil),
            ("9007199254740992", 1 << 53, nil, nil, nil), ("-1", -1, nil, -1, nil), ("0", 0, 0, 0, nil),
            ("640", 640, 640, 640, 640), ("1e3", 1000, 1000, 1000, 1000), ("1e400", nil, nil, nil, nil),
        ] as [(String, Int?, Int?, Int?, Int?)])
    func json(text: String, integer: Int?, quantity: Int?, time: Int?, side: Int?) {
        let json = JSON.number(text)
        #expect(json.integer == integer && json.quantity == quantity && json.time == time && json.side == side)
    }

    @Test("Any integer can be read to be stored")
    func anyInteger() { #expect(JSON.number("-9223372036854775808").anyInteger == .min) }
}
