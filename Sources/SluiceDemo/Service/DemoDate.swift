// SPDX-License-Identifier: MIT

/// A date in seconds since 1970 (UTC), formatted without a calendar library.
struct DemoDate {
    let seconds: Int

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `2025-06-30T07:05:09Z`.
    var iso: String {
        let (year, month, day) = date
        return "\(year)-\(Self.two(month))-\(Self.two(day))T\(time)Z"
    }

    /// `Mon, 30 Jun 2025 07:05:09 GMT`.
    var http: String {
        let (year, month, day) = date
        return "\(Self.days[seconds / 86400 % 7]), \(Self.two(day)) \(Self.months[month - 1]) \(year) \(time) GMT"
    }

    private var time: String {
        let second = seconds % 86400
        return "\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))"
    }

    /// The Gregorian date, computed in 400-year eras that begin in March, so that the leap day comes last.
    private var date: (year: Int, month: Int, day: Int) {
        let shifted = seconds / 86400 + 719_468
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = shifted / 146_097 * 400 + yearOfEra + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, day)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
