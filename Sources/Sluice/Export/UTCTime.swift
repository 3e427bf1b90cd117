// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Formats times as RFC 3339 does.
enum UTCTime {
    /// The time of a number of seconds since 1970, such as `2026-01-31T12:00:00Z`.
    static func text(of seconds: Int) -> String {
        let (days, second) = (floorDivide(seconds, 86_400), seconds - floorDivide(seconds, 86_400) * 86_400)
        let (year, month, day) = date(ofDay: days)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { String($0).zeroPadded(to: 2) }
        let date = [String(year).zeroPadded(to: 4), String(month).zeroPadded(to: 2), String(day).zeroPadded(to: 2)]
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
    }

    /// The Gregorian date of a day after 1970-01-01.
    ///
    /// Years start in March, so that a leap day is the last day of its year.
    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let days = day + 719_468
        let era = floorDivide(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        return (year, calendarMonth, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        (number >= 0 ? number : number - divisor + 1) / divisor
    }
}
