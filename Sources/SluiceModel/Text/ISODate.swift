// SPDX-License-Identifier: MIT

/// Parses dates of ISO 8601.
public enum ISODate {
    /// Parses a date into seconds since 1970; `nil` if the text is not a date.
    ///
    /// Accepts `2026-01-31` and `2026-01-31T09:30:00.25+02:00`. The default zone is UTC.
    public static func seconds(of text: String) -> Int? {
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
    ///
    /// The computation starts years in March, so that a leap day is the last day of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let era = (years >= 0 ? years : years - 399) / 400
        let yearOfEra = years - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
