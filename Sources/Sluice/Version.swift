// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceOrigin
internal import SluiceTransfer

/// Which Sluice this is, and what it stands on.
public enum Version {
    /// The version's number, as `major.minor.patch`.
    public static let number = "0.1.0"
    /// When the version was made, in seconds since 1970: no machine whose clock is right shows less.
    static let epoch = 1_767_225_600

    /// The C libraries, as each room tells them; a room that calls one more adds its line.
    public static var libraries: [LibraryVersion] {
        CodecVersion.all.map { LibraryVersion($0.name, $0.version) } + Transfers.libraries + Ledger.libraries
            + Source.libraries + Origin.libraries
    }
}
