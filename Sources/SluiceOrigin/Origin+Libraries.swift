// SPDX-License-Identifier: MIT

internal import CMicrohttpd
public import SluiceModel

extension Origin {
    /// The library that serves.
    public static var libraries: [LibraryVersion] {
        [LibraryVersion("libmicrohttpd", unsafe String(cString: MHD_get_version()))]
    }
}
