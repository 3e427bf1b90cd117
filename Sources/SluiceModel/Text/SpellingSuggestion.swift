// SPDX-License-Identifier: MIT

/// Returns the word that the user most likely meant; `nil` if no word is close enough.
package func closestMatch(to text: String, in words: [String]) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    let begun = words.filter { $0.hasPrefix(text) }
    if begun.count == 1, text.utf8.count > 2 { return begun[0] }
    let near = words.map { (word: $0, distance: editDistance(text, $0)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, near.word.utf8.count / 3) else { return nil }
    return near.word
}

/// Returns ` (did you mean X?)`, or an empty string if there is no suggestion.
package func didYouMean(_ word: String?) -> String {
    word.map { " (did you mean \($0)?)" } ?? ""
}

/// Returns the number of bytes to add, drop, replace or swap with their neighbour to turn one word into the other.
func editDistance(_ one: String, _ other: String) -> Int {
    let one = Array(one.utf8)
    let other = Array(other.utf8)
    var before: [Int] = []
    var above = Array(0...other.count)
    for row in 0..<one.count {
        var current = [row + 1]
        for column in 0..<other.count {
            let replaced = above[column] + (one[row] == other[column] ? 0 : 1)
            var least = min(above[column + 1] + 1, current[column] + 1, replaced)
            let isSwapped =
                row > 0 && column > 0 && one[row] == other[column - 1] && one[row - 1] == other[column]
            if isSwapped { least = min(least, before[column - 1] + 1) }
            current.append(least)
        }
        (before, above) = (above, current)
    }
    return above[other.count]
}
