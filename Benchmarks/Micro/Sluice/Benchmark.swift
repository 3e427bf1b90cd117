// SPDX-License-Identifier: MIT

/// A piece of a room's work that can be done again and again.
struct Benchmark {
    /// The room, and what of it, in words.
    let name: String
    /// How many of these are done in one go, and what they are called.
    let count: Int
    let unit: String
    /// Does it once; what comes of it goes to ``keep(_:)``, so that nobody finds it idle.
    let work: () async throws -> Void

    init(_ name: String, _ count: Int = 1, _ unit: String, _ work: @escaping () async throws -> Void) {
        (self.name, self.count, self.unit, self.work) = (name, count, unit, work)
    }
}

/// Takes a result as if it were needed: the compiler must not look in here.
@_optimize(none) @inline(never)
func keep<Value>(_ value: Value) {}
