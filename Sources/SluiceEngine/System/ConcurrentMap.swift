// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Applies `transform` to the elements concurrently, on threads that it may block for requests, and keeps their order.
package func concurrentRequests<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @escaping @Sendable (Element) -> Result
) async -> [Result] {
    await DedicatedThread.run {
        let results = Locked([Result?](repeating: nil, count: elements.count))
        DedicatedThread.forEach(Array(elements.enumerated()), width: maxConcurrentRequests) { index, element in
            let result = transform(element)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0 }.compactMap(\.self)
    }
}

private let maxConcurrentRequests = 32

/// Applies `transform` to the elements concurrently, on as many tasks as the machine has cores, and keeps their order.
package func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @escaping @Sendable (Element) -> Result
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
                    results.append((index, transform(elements[index])))
                }
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
    return results.sorted { $0.index < $1.index }.map(\.result)
}
