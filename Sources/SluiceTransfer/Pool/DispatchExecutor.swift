// SPDX-License-Identifier: MIT

internal import Dispatch

/// Runs asynchronous functions on a concurrent Dispatch queue of its own.
///
/// The language's own executor has as many threads as the machine has cores, and none to spare for a call that blocks;
/// Dispatch adds some when calls block on the disk.
final class DispatchExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
