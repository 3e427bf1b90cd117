// SPDX-License-Identifier: MIT

/// Hosts in the order in which they were found, with the number of their photos.
struct HostCounts: Sendable, RandomAccessCollection {
    private var names = NameTable()
    private var rows: [Int] = []

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(position: Int) -> (name: String, rows: Int) { (names[position], rows[position]) }

    /// Returns the position of a host, which is added unless it is known.
    mutating func position(of host: String) -> Int {
        let position = names.number(of: host)
        if position == rows.count { rows.append(0) }
        return position
    }

    mutating func count(at position: Int) { rows[position] += 1 }
}
