// SPDX-License-Identifier: MIT

internal import CCurl
public import SluiceModel

extension Transfers {
    /// The libraries that transfers go through.
    public static var libraries: [LibraryVersion] {
        // `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13 ...`: libcurl, and whatever it stands on itself.
        let parts = unsafe String(cString: curl_version()).split(separator: " ").map { $0.split(separator: "/") }
        return ["libcurl", "OpenSSL", "nghttp2"].compactMap { name in
            parts.first { $0.count == 2 && $0[0] == name }.map { LibraryVersion(name, String($0[1])) }
        }
    }

    /// Whether this libcurl can ask other name servers than the system's: it must be built with c-ares.
    public static var canChooseNameServers: Bool {
        ccurl_has_ares() != 0
    }
}
