// SPDX-License-Identifier: MIT

/// Finds the lowest quality at which an encoded picture looks similar enough, in at most three attempts.
///
/// The first attempt has the quality that photographs need usually, the second one the quality that this picture should
/// need by its first score, and the third one lies between both or beyond them.
struct QualitySearch {
    struct Attempt {
        let settings: ImageEncoder
        let bytes: [UInt8]
        let score: Double
    }

    private static let maxAttempts = 3
    /// Scores this far below and above the target are as good as it; the difference cannot be seen.
    private static let (tooLow, tooHigh) = (0.5, 1.0)

    private let target: Double
    private let usual: [(quality: Double, score: Double)]
    private var attempts: [Attempt] = []

    /// The quality of the next attempt; `nil` if the search is over.
    private(set) var next: Int?

    /// Starts a search for the quality of these settings.
    init(for target: Double, with settings: ImageEncoder) {
        self.target = target
        usual =
            settings.format == .webp
            ? Self.usualOfWebP : settings.isCompact ? Self.usualOfCompactJPEG : Self.usualOfJPEG
        next = quality(for: target)
    }

    /// Adds the attempt at ``next``.
    mutating func add(_ attempt: Attempt) {
        attempts.append(attempt)
        next = attempts.count < Self.maxAttempts && !isGoodEnough(attempt) ? improvedQuality() : nil
        if let next, attempts.contains(where: { $0.settings.quality == next }) { self.next = nil }
    }

    /// The smallest file that looks similar enough, or else the most similar one.
    ///
    /// At least one attempt was added.
    var best: Attempt {
        let reaching = attempts.filter { $0.score >= target - Self.tooLow }
        return reaching.min { $0.bytes.count < $1.bytes.count } ?? attempts.max { $0.score < $1.score } ?? attempts[0]
    }

    private func isGoodEnough(_ attempt: Attempt) -> Bool {
        (target - Self.tooLow...target + Self.tooHigh).contains(attempt.score)
    }

    private func improvedQuality() -> Int? {
        guard let last = attempts.last else { return nil }
        let usual = score(at: Double(last.settings.quality))
        // The scores of a picture differ from the usual ones by about the same at all qualities.
        guard attempts.count > 1 else { return quality(for: usual + target - last.score) }
        // With two scores, it is also known how much more or less they change.
        let change = (last.score - attempts[0].score) / (usual - score(at: Double(attempts[0].settings.quality)))
        return change > 0 ? quality(for: usual + (target - last.score) / change) : nil
    }

    private func quality(for score: Double) -> Int {
        let quality = Self.interpolated(score, usual.map { ($0.score, $0.quality) })
        return Int(min(max(quality.rounded(), 20), 95))
    }

    private func score(at quality: Double) -> Double {
        Self.interpolated(quality, usual.map { ($0.quality, $0.score) })
    }

    /// The value of a function at `x` that is linear between points, and beyond them.
    private static func interpolated(_ x: Double, _ points: [(x: Double, y: Double)]) -> Double {
        let end = points.dropFirst().dropLast().firstIndex { $0.x >= x } ?? points.count - 1
        let (from, to) = (points[end - 1], points[end])
        return from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)
    }

    /// The median scores of 66 photographs of 240 to 512 pixels; AVIF's qualities mean the same as JPEG's.
    private static let usualOfJPEG: [(quality: Double, score: Double)] = [
        (20, 31), (30, 48), (40, 58.5), (50, 65), (60, 69.5), (70, 74), (80, 80), (90, 86), (95, 89.5),
    ]
    /// The median scores of 43 photographs of 128 to 640 pixels, without subsampling.
    private static let usualOfCompactJPEG: [(quality: Double, score: Double)] = [
        (20, 34.5), (30, 50.5), (40, 58.5), (50, 63.5), (60, 67), (70, 72), (80, 77.5), (90, 84.5), (95, 89.5),
    ]
    private static let usualOfWebP: [(quality: Double, score: Double)] = [
        (20, 45.5), (30, 54), (40, 60), (50, 64), (60, 68), (70, 71), (80, 76), (90, 83), (95, 86.5),
    ]
}
