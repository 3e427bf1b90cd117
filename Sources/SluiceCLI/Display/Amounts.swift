// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Returns a count with its noun: `1 photo`, `90 photos`.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? "\(noun)s")"
}

/// Returns a number of bytes in multiples of 1000: `512 bytes`, `1.6 MB`.
func byteText(_ bytes: Int) -> String {
    if bytes < 1000 { return counted(max(0, bytes), "byte") }
    var number = Double(bytes)
    var unit = ""
    for step in ["kB", "MB", "GB", "TB", "PB"] where number >= 999.95 {
        number /= 1000
        unit = step
    }
    return "\(decimal(number)) \(unit)"
}

/// Returns a duration: `0.2 s`, `42 s`, `3 min 5 s`, `2 h 10 min`.
///
/// `isWhole` rounds to seconds, for values that change while they are shown.
func timeText(_ time: Duration, isWhole: Bool = false) -> String {
    let seconds = max(0, seconds(time))
    if seconds < 9.95, !isWhole { return "\(decimal(seconds)) s" }
    let whole = Int(rounding: min(seconds, 1e9))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
}

/// Returns a number with one decimal place below 100, and with none above.
func decimal(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "0" }
    if abs(number) >= 99.95 { return "\(Int(rounding: number))" }
    let tenths = Int(rounding: number * 10)
    return "\(tenths / 10).\(abs(tenths % 10))"
}

/// Returns a duration in seconds.
func seconds(_ time: Duration) -> Double {
    Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}
