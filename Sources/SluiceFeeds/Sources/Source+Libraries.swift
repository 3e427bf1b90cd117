// SPDX-License-Identifier: MIT

internal import CXML2
public import SluiceModel

extension Source {
    /// The libraries that feeds are read with.
    public static var libraries: [LibraryVersion] {
        [LibraryVersion("libxml2", LIBXML_DOTTED_VERSION)]
    }
}
