// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

/// The formats that are read as well as written.
enum BenchImageFormat: String, CaseIterable {
    case jpeg, png, webp

    var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        }
    }
}

/// The kinds of values that `bench` takes.
extension Argument {
    /// Whole numbers with commas between them, each once, from the least on.
    func counts(to most: Int) throws(Refusal) -> [Int] {
        var counts: Set<Int> = []
        for part in parts {
            var argument = self
            argument.text = part
            guard let count = try? argument.count(from: 1, to: most) else {
                throw Refusal("whole numbers from 1 to \(most) with commas between them, such as 1,4,16")
            }
            counts.insert(count)
        }
        return counts.sorted()
    }

    /// Whole numbers with commas between them, and `auto` for a loader that finds the number by itself.
    func widths(to most: Int) throws(Refusal) -> (counts: [Int], hasAuto: Bool) {
        let fixed = parts.filter { $0 != "auto" }
        guard !fixed.isEmpty else { return ([], true) }
        var argument = self
        argument.text = fixed.joined(separator: ",")
        return (try argument.counts(to: most), fixed.count < parts.count)
    }

    /// Words of a kind with commas between them, each once.
    func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        of type: Choice.Type
    ) throws(Refusal) -> [Choice] {
        var choices: [Choice] = []
        for part in parts {
            var argument = self
            argument.text = part
            let choice = try argument.choice(of: type)
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// The sides of thumbnails with commas between them, and `none` for loads without.
    func sides() throws(Refusal) -> [Int?] {
        var sides: [Int?] = []
        for part in parts {
            let side = part == "none" ? nil : Int(part)
            guard part == "none" || side.map({ (1...16383).contains($0) }) ?? false else {
                throw Refusal("none, sides from 1 to 16383, or both with commas between them, such as none,256")
            }
            if !sides.contains(side) { sides.append(side) }
        }
        return sides
    }

    /// A time that may be none at all.
    func delay() throws(Refusal) -> Duration { text == "0" || text == "none" ? .zero : try duration() }

    /// A number of bytes a second, or no bound.
    func bound() throws(Refusal) -> Int? { text == "none" ? nil : try bytes() }

    /// A share of the requests, and what goes wrong with them; `nil` for `none`.
    func fault() throws(Refusal) -> BenchFault? {
        if text == "none" { return nil }
        let kinds = BenchFault.Kind.allCases.map(\.rawValue)
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        var share = self
        share.text = words.first.map(String.init) ?? ""
        guard words.count == 2, let percent = try? share.share(), let kind = BenchFault.Kind(rawValue: "\(words[1])")
        else {
            throw Refusal(
                "none, or a share and what goes wrong with it, such as 5%:timeout, of \(kinds.joined(separator: ", "))")
        }
        return BenchFault(share: percent / 100, kind: kind)
    }

    private var parts: [String] { text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
}
