// SPDX-License-Identifier: MIT

/// A time in UTC to the second, as a date of the Gregorian calendar and a time of day.
///
/// This is the only place that computes calendars. It starts years in March, so that a leap day is the last day of its
/// year.
package struct UTCTime: Sendable {
    private let year: Int
    private let month: Int
    private let day: Int
    /// 0 for Sunday, up to 6 for Saturday.
    private let weekday: Int
    private let second: Int

    /// Converts a number of seconds since 1970.
    package init(secondsSince1970 seconds: Int) {
        let (number, rest) = Self.divide(seconds, by: 86_400)
        second = rest
        weekday = Self.divide(number + 4, by: 7).rest
        let (era, dayOfEra) = Self.divide(number + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// `2026-01-31`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

    /// `2026-01-31T12:00:00Z`, as in RFC 3339.
    package var text: String { "\(date)T\(clock)Z" }

    /// `2026-01-31 12:00 UTC`.
    package var minuteText: String { "\(date) \(clock.prefix(5)) UTC" }

    /// `20260131T120000Z`.
    package var compactText: String { text.filter { $0 != "-" && $0 != ":" } }

    /// `Sat, 31 Jan 2026 12:00:00 GMT`, as in HTTP.
    package var httpText: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekdays[weekday]), \(Self.padded(day)) \(months[month - 1]) \(Self.padded(year, 4)) \(clock) GMT"
    }

    /// The time in a form of `strftime` with `%Y`, `%m`, `%d`, `%H`, `%M` and `%S`; `nil` for one with other letters.
    package func text(as form: String) -> String? {
        var parts = form.split(separator: "%", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts {
            switch part.first {
            case "Y": text += Self.padded(year, 4)
            case "m": text += Self.padded(month)
            case "d": text += Self.padded(day)
            case "H": text += Self.padded(second / 3600)
            case "M": text += Self.padded(second / 60 % 60)
            case "S": text += Self.padded(second % 60)
            default: return nil
            }
            text += part.dropFirst()
        }
        return text.isEmpty || parts.isEmpty ? nil : text
    }

    /// `12:00:00`.
    private var clock: String {
        [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0) }.joined(separator: ":")
    }

    private static func padded(_ number: Int, _ digits: Int = 2) -> String { String(number).zeroPadded(to: digits) }

    /// Divides such that the rest is never negative.
    private static func divide(_ number: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension UTCTime {
    /// Parses a date of ISO 8601 into seconds since 1970; `nil` if the text is not a date.
    ///
    /// Accepts `2026-01-31` and `2026-01-31T09:30:00.25+02:00`. The default zone is UTC.
    package static func seconds(ofISO text: String) -> Int? {
        var rest = text.utf8[...]
        guard let year = number(&rest, 4), take("-", from: &rest), let month = number(&rest, 2), take("-", from: &rest),
            let day = number(&rest, 2), (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
        else { return nil }
        let midnight = daysSince1970(year, month, day) * 86_400
        if rest.isEmpty { return midnight }
        guard take("T", from: &rest) || take("t", from: &rest) || take(" ", from: &rest), let time = time(&rest) else {
            return nil
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return midnight + time - offset
    }

    /// `09:30`, `09:30:15`, `09:30:15.25`.
    private static func time(_ rest: inout Substring.UTF8View) -> Int? {
        guard let hour = number(&rest, 2), hour < 24, take(":", from: &rest), let minute = number(&rest, 2), minute < 60
        else { return nil }
        var seconds = hour * 3600 + minute * 60
        if take(":", from: &rest) {
            guard let second = number(&rest, 2), second <= 60 else { return nil }
            seconds += second
            if take(".", from: &rest) { rest = rest.drop { digits.contains($0) } }
        }
        return seconds
    }

    /// `Z`, `+02:00`, `-0330`, or nothing.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int? {
        if rest.isEmpty || take("Z", from: &rest) || take("z", from: &rest) { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+", from: &rest) || take("-", from: &rest), let hours = number(&rest, 2), hours < 24 else {
            return nil
        }
        _ = take(":", from: &rest)
        guard let minutes = number(&rest, 2), minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func number(_ rest: inout Substring.UTF8View, _ count: Int) -> Int? {
        let text = rest.prefix(count)
        guard text.count == count, text.allSatisfy(digits.contains) else { return nil }
        rest = rest.dropFirst(count)
        return Int(Substring(text))
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a Gregorian date.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let (era, yearOfEra) = divide(years, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
