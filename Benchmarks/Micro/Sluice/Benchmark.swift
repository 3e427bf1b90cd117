// SPDX-License-Identifier: MIT

/// A repeatable piece of work.
struct Benchmark {
    /// The name: the module and the work.
    let name: String
    /// The number of units that one execution processes, and the unit's name.
    let count: Int
    let unit: String
    /// Executes the work once; passes results to ``keep(_:)`` so that the compiler cannot remove it.
    let work: () async throws -> Void

    init(_ name: String, _ count: Int = 1, _ unit: String, _ work: @escaping () async throws -> Void) {
        (self.name, self.count, self.unit, self.work) = (name, count, unit, work)
    }
}

/// Consumes a result opaquely, so that the compiler cannot remove its computation.
@_optimize(none) @inline(never)
func keep<Value>(_ value: Value) {}
