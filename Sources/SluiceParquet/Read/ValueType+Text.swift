// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The value of a column in a row.
enum CellValue {
    case missing
    case text(String)
    /// A text that is not UTF-8.
    case invalid
}

extension ValueType {
    /// The length of a stored value; `nil` for Booleans and for values that follow their length.
    var fixedLength: Int? {
        switch physical {
        case .int32, .float: 4
        case .int64, .double: 8
        case .int96: 12
        case .fixedLengthByteArray: length
        case .boolean, .byteArray: nil
        }
    }

    /// Returns the value that is stored in `range`.
    func value(in bytes: [UInt8], _ range: Range<Int>) -> CellValue {
        switch meaning {
        case .text, .bytes: Self.text(of: bytes, range)
        case .digits(let count):
            range.count == count
                ? .text(bytes[range].map { String($0, radix: 16).zeroPadded(to: 2) }.joined())
                : Self.text(of: bytes, range)
        case .boolean: .missing
        case .signed: .text(String(signed(bytes, range)))
        case .unsigned: .text(String(Self.bits(bytes, range)))
        case .floating: Self.text(of: floating(bytes, range))
        case .decimal(let scale): decimal(bytes, range, scale).map(CellValue.text) ?? .invalid
        case .date: .text(Self.text(ofSeconds: signed(bytes, range).multipliedReportingOverflow(by: 86_400)))
        case .time(let perSecond):
            physical == .int96
                ? .text(Self.text(ofJulian: bytes, range))
                : .text(Self.text(ofSeconds: (Self.floor(signed(bytes, range), perSecond), false)))
        }
    }

    private static func text(of bytes: [UInt8], _ range: Range<Int>) -> CellValue {
        String(utf8: bytes.span.extracting(range)).map(CellValue.text) ?? .invalid
    }

    private func signed(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let bits = Self.bits(bytes, range)
        return physical == .int32 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
    }

    private func floating(_ bytes: [UInt8], _ range: Range<Int>) -> Double {
        let bits = Self.bits(bytes, range)
        return physical == .float
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    private static func bits(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        var bits: UInt64 = 0
        for (shift, index) in range.prefix(8).enumerated() { bits |= UInt64(bytes[index]) << UInt64(8 * shift) }
        return bits
    }

    /// Returns a decimal number with all digits after its point; `nil` if it has more than 16 bytes.
    private func decimal(_ bytes: [UInt8], _ range: Range<Int>, _ scale: Int) -> String? {
        var number = Int128(signed(bytes, range))
        if physical == .byteArray || physical == .fixedLengthByteArray {
            guard let first = range.first, range.count <= 16 else { return nil }
            number = bytes[first] < 0x80 ? 0 : -1
            for index in range { number = number << 8 | Int128(bytes[index]) }
        }
        let digits = String(number.magnitude).zeroPadded(to: scale + 1)
        let fraction = scale > 0 ? ".\(digits.suffix(scale))" : ""
        return "\(number < 0 ? "-" : "")\(digits.dropLast(scale))\(fraction)"
    }

    /// A whole number has no fraction, because tables with missing values store whole numbers like this.
    private static func text(of number: Double) -> CellValue {
        if number.isNaN { return .missing }
        return .text(Int(exactly: number).map(String.init) ?? String(number))
    }

    /// The time of a day, counted from the beginning of the Julian calendar, and its nanoseconds.
    private static func text(ofJulian bytes: [UInt8], _ range: Range<Int>) -> String {
        let nanoseconds = Int(Int64(bitPattern: bits(bytes, range.prefix(8))))
        let day = Int(bits(bytes, range.dropFirst(8)))
        return text(ofSeconds: ((day - 2_440_588) * 86_400 + floor(nanoseconds, 1_000_000_000), false))
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// `2026-01-31T09:30:00Z`; a time that no calendar needs is empty.
    private static func text(ofSeconds seconds: (partialValue: Int, overflow: Bool)) -> String {
        // The years 0 to 9999.
        guard !seconds.overflow, (-62_167_219_200..<253_402_300_800).contains(seconds.partialValue) else { return "" }
        return UTCTime(secondsSince1970: seconds.partialValue).text
    }
}
