// SPDX-License-Identifier: MIT

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
        case .text: Self.text(ofUTF8: bytes.span.extracting(range))
        case .boolean: .missing
        case .signed: .text(String(signed(bytes, range)))
        case .unsigned: .text(String(Self.bits(bytes, range)))
        case .floating: Self.text(of: floating(bytes, range))
        case .date: .text(Self.text(ofSeconds: signed(bytes, range).multipliedReportingOverflow(by: 86_400)))
        case .time(let perSecond):
            physical == .int96
                ? .text(Self.text(ofJulian: bytes, range))
                : .text(Self.text(ofSeconds: (Self.floor(signed(bytes, range), perSecond), false)))
        }
    }

    /// `String(validating:as:)` is generic, and looks up types in every call.
    private static func text(ofUTF8 bytes: Span<UInt8>) -> CellValue {
        do {
            return .text(String(copying: try UTF8Span(validating: bytes)))
        } catch {
            return .invalid
        }
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
        let (day, second) = (floor(seconds.partialValue, 86_400), 0)
        let rest = seconds.partialValue - day * 86_400 + second
        // Days are counted from 1 March of the year 0, so that leap days are at the ends of years.
        let days = day + 719_468
        let era = days / 146_097
        let inEra = days - era * 146_097
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let date = [
            padded(era * 400 + year + (month >= 10 ? 1 : 0), 4), padded(month >= 10 ? month - 9 : month + 3, 2),
            padded(inYear - (153 * month + 2) / 5 + 1, 2),
        ].joined(separator: "-")
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(time)Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
