// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Formats numbers for the report and the plain pages.
enum NumberFormat {
    /// A size in decimal units: `512 bytes`, `1.6 MB`.
    static func bytes(_ bytes: Double) -> String {
        let (value, unit) = scaled(bytes)
        return unit == "bytes" ? "\(Int(rounding: value)) bytes" : "\(decimal(value)) \(unit)"
    }

    /// The size in the largest unit in which it is at least 1.
    static func scaled(_ bytes: Double) -> (value: Double, unit: String) {
        var value = bytes.isFinite ? bytes : 0
        var unit = "bytes"
        for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 1000 {
            value /= 1000
            unit = next
        }
        return (value, unit)
    }

    /// A time in seconds: `0.2 s`, `42 s`, `3 min 5 s`, `2 h 10 min`.
    static func time(_ seconds: Double) -> String {
        guard seconds >= 9.95 else { return "\(decimal(max(0, seconds))) s" }
        let whole = Int(rounding: min(seconds, 1e9))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s" }
        return whole % 3600 < 60 ? "\(whole / 3600) h" : "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// A short duration: `80 µs`, `1.2 ms`, `4.5 s`.
    static func latency(_ time: Duration) -> String {
        let seconds = time.inSeconds
        if seconds < 0.000_999_5 { return "\(Int(rounding: seconds * 1e6)) µs" }
        if seconds < 0.999_5 { return "\(decimal(seconds * 1000)) ms" }
        return self.time(seconds)
    }

    /// A share from 0 to 1: `71 %`.
    static func percent(_ share: Double) -> String {
        share > 0 && share < 0.005 ? "< 1 %" : "\(Int(rounding: share * 100)) %"
    }

    /// A number with one decimal place below 100 and none above; `.0` is left out.
    static func decimal(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return "0" }
        let tenths = Int(rounding: number * 10)
        if abs(number) >= 99.95 || tenths.isMultiple(of: 10) { return "\(Int(rounding: number))" }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

extension String {
    /// The text, cut with an ellipsis to about `limit` characters; `nil` if it is blank.
    func shown(upTo limit: Int) -> String? {
        guard utf8.contains(where: { $0 > 0x20 }) else { return nil }
        guard utf8.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + "…"
    }
}
