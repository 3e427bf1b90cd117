// SPDX-License-Identifier: MIT

internal import Sluice

/// The kinds of values, each with the words that say what it takes.
extension Argument {
    /// A whole number.
    func count(from least: Int = 1, to most: Int = .max) throws(Refusal) -> Int {
        let allowed = "a whole number from \(least) \(most == .max ? "on" : "to \(most)")"
        guard let number = wholeNumber(text), number >= least, number <= most else { throw Refusal(allowed) }
        return number
    }

    /// How many at once; for `auto` as many as may become of it.
    func width() throws(Refusal) -> Int {
        if text == "auto" { return MirrorOptions.mostWidth }
        do throws(Refusal) { return try count(from: 1, to: 4096) } catch { throw Refusal("auto, or \(error.allowed)") }
    }

    /// A number of bytes: `64M`, with steps of 1024.
    func bytes() throws(Refusal) -> Int {
        guard let number = scaled(by: 1024), number >= 1 else {
            throw Refusal("a number of bytes from 1 on, with k, M or G if wanted, such as 25M")
        }
        return number
    }

    /// A large number: `100M`, with steps of 1000.
    func quantity() throws(Refusal) -> Int {
        guard let number = scaled(by: 1000), number >= 1 else {
            throw Refusal("a number from 1 on, with k, M or G if wanted, such as 100M")
        }
        return number
    }

    /// A time: `500ms`, `30s`, `5m`, `1h`; a bare number is seconds.
    func duration() throws(Refusal) -> Duration {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard let number = decimalNumber(digits), number * seconds >= 0.001, number * seconds <= 1e9 else { break }
            return .seconds(number * seconds)
        }
        throw Refusal("a time from 1ms on in ms, s, m or h, such as 500ms, 30s or 5m")
    }

    /// How often in a second: `5/s`, `90/m`, `1000/h`; a bare number is in a second.
    func rate() throws(Refusal) -> Double {
        let units: [(String, Double)] = [("/s", 1), ("/m", 60), ("/h", 3600), ("", 1)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = decimalNumber(text.dropLast(unit.count)), (1e-6...1e6).contains(number / seconds) else {
                break
            }
            return number / seconds
        }
        throw Refusal("a number in a second, a minute or an hour, such as 5/s, 90/m or 1000/h")
    }

    /// A share of a hundred: `30%`.
    func share() throws(Refusal) -> Double {
        guard text.hasSuffix("%"), let share = decimalNumber(text.dropLast()), share <= 100 else {
            throw Refusal("a share, such as 30%")
        }
        return share
    }

    /// How much may fail: `50`, `30%`.
    func failureLimit() throws(Refusal) -> FailureLimit {
        if text.hasSuffix("%"), let share = decimalNumber(text.dropLast()), share <= 100 { return .percent(share) }
        if let number = wholeNumber(text) { return .count(number) }
        throw Refusal("a number of photos or a share of them, such as 50 or 30%")
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) throws(Refusal) -> Choice {
        let words = type.allCases.map(\.rawValue)
        if let choice = Choice(rawValue: text) { return choice }
        throw Refusal(words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")" + hint(nearest(text, words)))
    }

    /// The sizes of thumbnails, with commas between them; none for `none`.
    func sizes() throws(Refusal) -> [ThumbnailSize] {
        if text == "none" { return [] }
        var sizes: [ThumbnailSize] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let size = ThumbnailSize(String(part)) else {
                throw Refusal(
                    "none, or sizes such as 256, 320x240 or x200 with commas between them, each at most 16383")
            }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    /// One size.
    func size() throws(Refusal) -> ThumbnailSize {
        guard let size = ThumbnailSize(text) else { throw Refusal("a size such as 800, 800x600 or x600") }
        return size
    }

    /// From one shape to another, each as width to height.
    func aspect() throws(Refusal) -> ClosedRange<Double> {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(shape)
        guard ends.count == 2, let from = ends[0], let to = ends[1], from <= to else {
            throw Refusal("two shapes, the narrower first, such as 1:2..2:1 or 1.3..1.8")
        }
        return from...to
    }

    /// What is kept beside the pixels, with commas between the words; nothing for `none`.
    func keptWords() throws(Refusal) -> [KeptWord] {
        if text == "none" { return [] }
        var words: [KeptWord] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let names = KeptWord.allCases.map(\.rawValue)
            guard let word = KeptWord(rawValue: String(part)) else {
                let allowed = "none, or some of \(names.joined(separator: ", ")) with commas between them"
                throw Refusal(allowed + hint(nearest(String(part), names)))
            }
            words.append(word)
        }
        return words
    }

    /// The ground behind a photo.
    func background() throws(Refusal) -> BackgroundColor {
        if let color = BackgroundColor(text) { return color }
        throw Refusal(
            "white, black, transparent, or digits such as #336699"
                + hint(nearest(text, ["white", "black", "transparent"])))
    }

    /// Any text that is not empty and stays on its line.
    func line(_ what: String = "some text") throws(Refusal) -> String {
        let isOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !text.isEmpty, isOneLine else { throw Refusal("\(what) without control characters") }
        return text
    }

    /// A request header, as `Name: value`.
    func header() throws(Refusal) -> String {
        let parts = try line("a header").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].utf8
        guard parts.count == 2, !name.isEmpty, name.allSatisfy(isTokenByte) else {
            throw Refusal("a header such as 'Accept-Language: en'")
        }
        return text
    }

    /// Digits, a decimal point if wanted, and a letter for the steps.
    private func scaled(by step: Double) -> Int? {
        let letters: [Character: Double] = ["k": 1, "K": 1, "m": 2, "M": 2, "g": 3, "G": 3]
        let power = text.last.flatMap { letters[$0] }
        guard let number = decimalNumber(power == nil ? text[...] : text.dropLast()) else { return nil }
        var result = number
        for _ in 0..<Int(power ?? 0) { result *= step }
        return result < 1e18 ? Int(result.rounded()) : nil
    }
}

/// A width to a height: `3:2`, or `1.5`.
private func shape(_ text: Substring) -> Double? {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false).map(decimalNumber)
    guard sides.count <= 2, let width = sides[0], let height = sides.count == 2 ? sides[1] : 1 else { return nil }
    return width > 0 && height > 0 ? width / height : nil
}

/// Plain digits only: `Int` alone would take `+3`.
private func wholeNumber(_ text: String) -> Int? {
    text.utf8.allSatisfy(isDigit) ? Int(text) : nil
}

/// Plain digits and one point at most: `Double` alone would take `inf`, `1e9` and `0x10`.
private func decimalNumber(_ text: Substring) -> Double? {
    guard let first = text.utf8.first, isDigit(first) else { return nil }
    return text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") } ? Double(text) : nil
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// What a header's name may be made of (RFC 9110, `token`).
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
