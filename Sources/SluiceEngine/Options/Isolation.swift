// SPDX-License-Identifier: MIT

/// The process in which pictures are decoded.
public enum Isolation: Sendable, Hashable {
    /// In this process. A picture that crashes a codec ends the process.
    case none
    /// In sandboxed worker processes without access to files or the network and with limited memory, one per concurrent
    /// decode.
    ///
    /// A worker starts when it is first needed and decodes many pictures. A worker that crashes is replaced. If no
    /// worker can be started, the run stops; nothing is decoded in this process. `executable` is the `sluice` command,
    /// or any program that calls ``DecodeWorker/serveIfAsked()`` first. The run also stops if the system cannot apply
    /// an essential protection to the workers, unless `acceptsWeakSandbox` is set.
    case workers(executable: String, acceptsWeakSandbox: Bool = false)

    /// In this process, except for pictures of restricted formats, which are decoded in workers.
    ///
    /// If no worker can be started, or lacks an essential protection, only these pictures fail.
    case workersForRestrictedFormats(executable: String, acceptsWeakSandbox: Bool = false)

    /// Workers that run the current executable.
    ///
    /// Outside Linux none can be started, so that runs stop.
    package static var ownWorkers: Isolation { .workers(executable: ownExecutable) }

    package static let ownExecutable = "/proc/self/exe"

    /// The same isolation, but with whatever protections the system can apply to workers.
    package var acceptingWeakSandbox: Isolation {
        guard case .workers(let executable, _) = self else { return self }
        return .workers(executable: executable, acceptsWeakSandbox: true)
    }
}
