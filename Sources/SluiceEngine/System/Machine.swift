// SPDX-License-Identifier: MIT

internal import SluiceSystem
internal import SluiceTransfer

/// The cores, thread limit and wall clock of this machine.
package enum Machine {
    package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Throws if the system's limits leave too few threads.
    ///
    /// Dispatch would otherwise wait for them silently.
    package static func checkThreads() throws(MirrorError) {
        let required = cores + 8
        guard !DedicatedThread.canStart(required) else { return }
        throw MirrorError(
            .local, "cannot start \(required) threads: system limit reached; check `ulimit -u`, `-v` and `-d`")
    }

    /// Throws if `/proc` is missing.
    ///
    /// Dispatch reads the state of its threads there, and would end the process with SIGILL after a second.
    package static func checkProc() throws(MirrorError) {
        #if os(Linux)
            guard unsafe access("/proc/self/stat", R_OK) != 0 else { return }
            throw MirrorError(.local, "cannot start threads: /proc is not mounted")
        #endif
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The wall-clock time, for timestamps only: it may jump.
    package static var secondsSince1970: Int { time(nil) }
}
