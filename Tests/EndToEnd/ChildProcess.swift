// SPDX-License-Identifier: MIT

import Foundation

/// A process, as `/proc` describes it.
struct ChildProcess {
    let number: Int32
    /// `Z` for a process that has exited, but whose parent has not noticed it.
    let state: String
    private let parent: Int32

    /// Looks up a process; `nil` if it has exited.
    init?(_ number: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return nil }
        let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard words.count > 2, let parent = Int32(words[2]) else { return nil }
        (self.number, self.state, self.parent) = (number, String(words[1]), parent)
    }

    /// The processes that a process has started.
    static func all(of parent: Int32) -> [ChildProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { ChildProcess($0) }.filter { $0.parent == parent }
    }
}
