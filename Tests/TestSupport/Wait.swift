// SPDX-License-Identifier: MIT

/// A condition did not become true in time.
public struct WaitError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Creates an error with a sentence.
    public init(description: String) { self.description = description }
}

/// Waits until another thread or process makes a condition true, by polling; fails after three minutes.
///
/// Use a ``Gate`` where the code under test can open one. It sleeps between checks: a loop that only yields would keep
/// concurrent tests from running. That is enough for a busy machine, and a test that waits in vain fails with a reason.
public func wait(
    for description: String, within limit: Duration = .seconds(180), until condition: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < deadline else {
            throw WaitError(description: "timed out after \(limit) waiting for \(description)")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
