// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CSandbox
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceOrigin
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

/// The version of Sluice and of the C libraries that it uses.
public enum Version {
    /// The version number, as `major.minor.patch`.
    public static let number = "0.1.0"
    /// When this version was released, in seconds since 1970.
    ///
    /// A correct clock never shows an earlier time.
    package static let epoch = 1_767_225_600

    /// The C libraries that this process has loaded, in each module's list.
    ///
    /// A module that uses another library adds it to its own list.
    package static var loadedLibraries: [LibraryVersion] {
        CodecVersion.loaded.map { LibraryVersion($0.name, $0.version) } + Transfers.loadedLibraries
            + Ledger.loadedLibraries + Source.loadedLibraries + OriginServer.loadedLibraries
    }

    /// All C libraries; loads those that other commands load only when they need them.
    public static var libraries: [LibraryVersion] {
        clibraries_load_all()
        return loadedLibraries
    }
}

package enum ProcessArguments {
    /// The arguments after the program's name, or the first one that is not valid UTF-8.
    ///
    /// `CommandLine.arguments` would replace invalid bytes and could name another file, and is empty without `/proc`.
    package static var all: Result<[String], InvalidText> {
        var values: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        let count = Int(unsafe csandbox_arguments(&values))
        guard let values = unsafe values else { return .success([]) }
        var arguments: [String] = []
        for index in 1..<max(1, count) {
            guard let pointer = unsafe values[index] else { break }
            guard let text = unsafe String(validatingCString: pointer) else {
                let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
                let shown = PathText.escaped(unsafe bytes.map { UInt8(bitPattern: $0) })
                return .failure(InvalidText("cannot read the argument '\(shown)': it is not valid UTF-8"))
            }
            arguments.append(text)
        }
        return .success(arguments)
    }
}
