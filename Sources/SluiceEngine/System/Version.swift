// SPDX-License-Identifier: MIT

internal import CLibraries
internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceOrigin
internal import SluiceTransfer

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
