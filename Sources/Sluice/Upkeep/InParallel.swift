// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What `work` makes of each element, in the elements' order; as many are worked on at a time as the machine has cores.
func inParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ work: @escaping @Sendable (Element) -> Result
) async -> [Result] {
    let next = Locked(0)
    let results = await withTaskGroup(of: [(index: Int, result: Result)].self) { group in
        for _ in 0..<min(Machine.cores, elements.count) {
            group.addTask {
                var results: [(index: Int, result: Result)] = []
                while true {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard index < elements.count else { return results }
                    results.append((index, work(elements[index])))
                }
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
    return results.sorted { $0.index < $1.index }.map(\.result)
}
