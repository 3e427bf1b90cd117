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
    /// or any program that calls ``DecodeWorker/serveIfAsked()`` first.
    case workers(executable: String)

    /// Workers that run the current executable; ``none`` on systems where a program cannot name itself.
    public static var ownWorkers: Isolation {
        #if os(Linux)
            .workers(executable: "/proc/self/exe")
        #else
            .none
        #endif
    }
}
