// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceModel

/// An option and its value, as given on the command line or in another source.
struct Argument: Sendable {
    /// The option as the user wrote it: `--pages`, `-p`.
    var spelling: String
    /// The text of the value; empty for an option without a value.
    var text = ""
    /// False for the name that reverses an option (`--gallery` for `--no-gallery`).
    var isOn = true
}

/// The error for a value that an option does not accept.
struct InvalidValue: Error, Hashable {
    /// The accepted values, to follow the word "expected": `a whole number from 1 to 100`.
    var expected: String

    init(_ expected: String) {
        self.expected = expected
    }
}

/// Parsers for the values of options. Each throws a description of the values that it accepts.
extension Argument {
    func count(from minimum: Int = 1, to maximum: Int = .max) throws(InvalidValue) -> Int {
        let expected =
            maximum == .max ? "a whole number, \(minimum) or more" : "a whole number from \(minimum) to \(maximum)"
        guard let number = wholeNumber(text), number >= minimum, number <= maximum else { throw InvalidValue(expected) }
        return number
    }

    /// Parses an encoder's quality, or `auto` or `auto:N` for a score.
    func quality() throws(InvalidValue) -> QualityValue {
        if text == "auto" { return QualityValue(score: QualityValue.defaultScore) }
        let isScore = text.hasPrefix("auto:")
        guard let number = wholeNumber(isScore ? String(text.dropFirst(5)) : text), (1...100).contains(number) else {
            throw InvalidValue("a whole number from 1 to 100, auto, or auto:N with such a number")
        }
        return isScore ? QualityValue(score: number) : QualityValue(quality: number)
    }

    /// Parses a number of photos in flight; `auto` gives the highest number that it can reach.
    func concurrency() throws(InvalidValue) -> Int {
        if text == "auto" { return MirrorOptions.maximumConcurrency }
        do throws(InvalidValue) {
            return try count(from: 1, to: 4096)
        } catch {
            throw InvalidValue("auto or \(error.expected)")
        }
    }

    /// Parses a number of bytes: `64M` or `64MB`, in multiples of 1024.
    func bytes(atLeast minimum: Int = 1) throws(InvalidValue) -> Int {
        guard let number = scaled(by: 1024), number >= 1 else {
            throw InvalidValue("a number of bytes, optionally with k, M, G or T, e.g. 25M")
        }
        guard number >= minimum else { throw InvalidValue("at least \(minimum >> 20)M") }
        return number
    }

    /// Parses a large number: `100M`, in multiples of 1000.
    func largeNumber() throws(InvalidValue) -> Int {
        guard let number = scaled(by: 1000), number >= 1 else {
            throw InvalidValue("a number, optionally with k, M, G or T, e.g. 100M")
        }
        return number
    }

    /// Parses a time: `500ms`, `30s`, `5m`, `5min`, `1h`; a plain number means seconds.
    func duration(canBeZero: Bool = false) throws(InvalidValue) -> Duration {
        let units: [(String, Double)] = [
            ("ms", 0.001), ("sec", 1), ("s", 1), ("min", 60), ("m", 60), ("h", 3600), ("", 1),
        ]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard let number = decimalNumber(digits), number * seconds >= 0.001 || canBeZero && number == 0,
                number * seconds <= 1e9
            else { break }
            return .seconds(number * seconds)
        }
        throw InvalidValue("a time of at least 1ms, e.g. 500ms, 30s, 5m or 1h")
    }

    /// Parses a rate per second: `5/s`, `90/m`, `1000/h`; a plain number is per second.
    func rate() throws(InvalidValue) -> Double {
        let units: [(String, Double)] = [("/sec", 1), ("/s", 1), ("/min", 60), ("/m", 60), ("/h", 3600), ("", 1)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = decimalNumber(text.dropLast(unit.count)), (1e-6...1e6).contains(number / seconds) else {
                break
            }
            return number / seconds
        }
        throw InvalidValue("a number per second, minute or hour, e.g. 5/s, 90/m or 1000/h")
    }

    /// Parses a percentage: `30%`.
    func percentage() throws(InvalidValue) -> Double {
        guard text.hasSuffix("%"), let percentage = decimalNumber(text.dropLast()), percentage <= 100 else {
            throw InvalidValue("a percentage, e.g. 30%")
        }
        return percentage
    }

    /// Parses the number or share of photos that may fail: `50`, `30%`.
    func failureLimit() throws(InvalidValue) -> FailureLimit {
        if text.hasSuffix("%"), let percentage = decimalNumber(text.dropLast()), percentage <= 100 {
            return .percent(percentage)
        }
        if let number = wholeNumber(text) { return .count(number) }
        throw InvalidValue("a number of photos or a percentage, e.g. 50 or 30%")
    }

    /// Parses one of the raw values of `type`.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) throws(InvalidValue) -> Choice {
        try choice(of: Array(type.allCases))
    }

    /// Parses one of the raw values of `choices`.
    func choice<Choice: RawRepresentable<String>>(of choices: [Choice]) throws(InvalidValue) -> Choice {
        let words = choices.map(\.rawValue)
        if let choice = choices.first(where: { [text, formatName].contains($0.rawValue) }) { return choice }
        throw InvalidValue(listed(words, "or") + didYouMean(closestMatch(to: text, in: words)))
    }

    /// Parses comma-separated thumbnail sizes; `none` gives an empty array.
    func sizes() throws(InvalidValue) -> [ThumbnailSize] {
        if text == "none" { return [] }
        var sizes: [ThumbnailSize] = []
        for part in parts {
            guard let size = ThumbnailSize(part) else {
                throw InvalidValue(
                    "none, or comma-separated sizes up to 16383, e.g. 256, 320x240 or x200")
            }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    func size() throws(InvalidValue) -> ThumbnailSize {
        guard let size = ThumbnailSize(text) else { throw InvalidValue("a size, e.g. 800, 800x600 or x600") }
        return size
    }

    /// The name of the format whose files have the text as their extension; otherwise the text.
    var formatName: String { ImageFormat(fileExtension: text)?.name ?? text }

    /// Parses a range of aspect ratios, each as width to height; a single ratio allows a difference of 1 percent.
    func aspectRatios() throws(InvalidValue) -> ClosedRange<Double> {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(aspectRatio)
        if ends.count == 1, let ratio = ends[0] { return ratio * 0.99...ratio * 1.01 }
        guard ends.count == 2, let from = ends[0], let to = ends[1], from <= to else {
            throw InvalidValue("one or two aspect ratios, the smaller first, e.g. 16/9, 1:2..2:1 or 1.3..1.8")
        }
        return from...to
    }

    /// Parses comma-separated kinds of metadata; `none` gives an empty array.
    func keepValues() throws(InvalidValue) -> [KeepValue] {
        if text == "none" { return [] }
        let names = KeepValue.allCases.map(\.rawValue)
        return try parts.map { (part) throws(InvalidValue) in
            if let word = KeepValue(rawValue: part) { return word }
            let expected = "none, or a comma-separated list of \(names.joined(separator: ", "))"
            throw InvalidValue(expected + didYouMean(closestMatch(to: part, in: names)))
        }
    }

    func background() throws(InvalidValue) -> BackgroundColor {
        if let color = BackgroundColor(text) { return color }
        throw InvalidValue(
            "white, black, transparent, or digits, e.g. #336699"
                + didYouMean(closestMatch(to: text, in: ["white", "black", "transparent"])))
    }

    /// Parses non-empty text without control characters; `name` describes it in the error.
    func singleLine(_ name: String = "text") throws(InvalidValue) -> String {
        let isOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !text.isEmpty else { throw InvalidValue(name) }
        guard isOneLine else { throw InvalidValue("\(name) without control characters") }
        return text
    }

    /// Parses a request header: `Name: value`.
    func header() throws(InvalidValue) -> String {
        let parts = try singleLine("a header").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].utf8
        guard parts.count == 2, !name.isEmpty, name.allSatisfy(\.isToken) else {
            throw InvalidValue("a header, e.g. 'Accept-Language: en'")
        }
        return text
    }

    /// Parses positions in the feed: `1-100,200-`.
    func positions() throws(InvalidValue) -> PositionRanges {
        guard let ranges = PositionRanges(text) else {
            throw InvalidValue("comma-separated positions from 1, e.g. 7, 1-100 or 200-")
        }
        return ranges
    }

    /// Parses a condition; the error includes the position of a syntax error.
    func filter() throws(InvalidValue) -> Filter {
        do throws(InvalidText) { return try Filter(text) } catch {
            throw InvalidValue("a condition, e.g. 'width>=1000 && license~\"CC\"' (\(error))")
        }
    }

    /// Parses comma-separated causes: `dns,timeout`.
    func causes() throws(InvalidValue) -> CauseSet {
        guard let causes = CauseSet(text) else {
            throw InvalidValue("comma-separated causes, e.g. dns,timeout,http-5xx,http-404")
        }
        return causes
    }

    /// Parses a date and gives seconds since 1970.
    func date() throws(InvalidValue) -> Int {
        guard let date = PublishedDate.seconds(of: text) else {
            throw InvalidValue("a date, e.g. 2026-01-31 or 2026-01-31T09:30Z")
        }
        return date
    }

    /// The parts of a value, between commas.
    var parts: [String] { text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }

    /// Parses a decimal number with an optional letter for a power of `base`.
    private func scaled(by base: Double) -> Int? {
        let letters: [Character: Double] = ["k": 1, "K": 1, "m": 2, "M": 2, "g": 3, "G": 3, "t": 4, "T": 4]
        let unit = ["iB", "B"].first(where: text.hasSuffix) ?? ""
        let amount = text.dropLast(unit.count)
        let power = amount.last.flatMap { letters[$0] }
        guard let number = decimalNumber(power == nil ? amount : amount.dropLast()) else { return nil }
        var result = number
        for _ in 0..<Int(power ?? 0) { result *= base }
        return result < 1e18 ? Int(rounding: result) : nil
    }
}

/// Joins words for a sentence: `a, b or c`.
func listed(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}

/// Parses the ratio of a width to a height: `3:2`, `3/2` or `1.5`.
private func aspectRatio(_ text: Substring) -> Double? {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }.map(decimalNumber)
    guard sides.count <= 2, let width = sides[0], let height = sides.count == 2 ? sides[1] : 1 else { return nil }
    return width > 0 && height > 0 ? width / height : nil
}

/// Parses plain digits; `Int` alone would accept `+3`.
private func wholeNumber(_ text: String) -> Int? {
    text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
}

/// Parses digits with at most one point; `Double` alone would accept `inf`, `1e9` and `0x10`.
private func decimalNumber(_ text: Substring) -> Double? {
    guard let first = text.utf8.first, first.isDigit else { return nil }
    return text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } ? Double(text) : nil
}

/// A value of `--quality`: one for all thumbnails, or the score that each reaches.
struct QualityValue {
    /// The score of JPEGs of the default quality, in the mean.
    static let defaultScore = 80

    var quality: Int?
    var score: Int?
}
