// SPDX-License-Identifier: MIT

/// Tracks for what goes on at once, such that no two things are on one at a time: the lowest free one each.
struct Tracks: Sendable {
    private var isTaken: [Bool] = []

    /// Takes a track.
    mutating func take() -> Int {
        if let free = isTaken.firstIndex(of: false) {
            isTaken[free] = true
            return free
        }
        isTaken.append(true)
        return isTaken.count - 1
    }

    /// Gives a track back.
    mutating func giveBack(_ track: Int) { isTaken[track] = false }
}
