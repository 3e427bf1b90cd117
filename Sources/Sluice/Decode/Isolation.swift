// SPDX-License-Identifier: MIT

/// Where pictures are decoded.
public enum Isolation: Sendable, Hashable {
    /// In this process: a picture that breaks a codec ends it.
    case none
    /// In processes that have no files, no network and a bound on their memory, one for each decode at a time.
    ///
    /// Such a process is started when it is needed first and decodes many pictures; one that its picture ends is
    /// replaced. `executable` is the `sluice` command, or any program that calls ``DecodeWorker/serveIfAsked()`` first.
    case workers(executable: String)

    /// Workers that are this very program; ``none`` where a program cannot name itself.
    public static var ownWorkers: Isolation {
        #if os(Linux)
            .workers(executable: "/proc/self/exe")
        #else
            .none
        #endif
    }
}
