// SPDX-License-Identifier: MIT

/// What stands before the host in an address, `user:password`: for that host alone, never shown and never kept.
public enum Userinfo {
    /// The address as it may be shown and kept, and what was taken out of it; the text need not be a good address.
    public static func split(_ url: String) -> (url: String, userinfo: String?) {
        // Nearly no address has one, and there may be millions.
        guard url.utf8.contains(UInt8(ascii: "@")), let authority = authority(of: url),
            let at = url[authority].lastIndex(of: "@")
        else { return (url, nil) }
        let rest = url[url.index(after: at)...]
        return ("\(url[..<authority.lowerBound])\(rest)", String(url[authority.lowerBound..<at]))
    }

    /// The address as it may be shown and kept.
    static func without(_ url: String?) -> String? { url.map { split($0).url } }

    /// The address with it.
    static func join(_ url: String, _ userinfo: String) -> String {
        guard let start = authority(of: url)?.lowerBound else { return url }
        return "\(url[..<start])\(userinfo)@\(url[start...])"
    }

    /// Where the user, the host and the port stand in an address, as libcurl reads it: a backslash does not end them.
    private static func authority(of url: String) -> Range<String.Index>? {
        guard let colon = url.firstRange(of: "://") else { return nil }
        // A path on this machine may have all these signs; its scheme has none that no scheme has. A source may have a
        // word more before the scheme: `iiif:https://...`.
        let scheme = url[..<colon.lowerBound].utf8
        guard
            scheme.allSatisfy({
                $0 == UInt8(ascii: ":") || $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
            })
        else { return nil }
        let start = colon.upperBound
        return start..<(url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex)
    }
}
