// SPDX-License-Identifier: MIT

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

    /// The C libraries that each module reports.
    ///
    /// A module that uses another library adds it to its own list.
    public static var libraries: [LibraryVersion] {
        CodecVersion.all.map { LibraryVersion($0.name, $0.version) } + Transfers.libraries + Ledger.libraries
            + Source.libraries + OriginServer.libraries
    }
}
