// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Runs `body` for each element on a separate thread and throws the first error.
func inParallel<Element: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Void
) throws {
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: elements.count) { index in
        do { try body(elements[index]) } catch { failure.withLock { $0 = $0 ?? error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
}
