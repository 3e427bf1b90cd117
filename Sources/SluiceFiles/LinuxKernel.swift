// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The running Linux kernel.
enum LinuxKernel {
    /// Whether `syncfs` reports write errors, as it does since Linux 5.8.
    static let syncfsReportsErrors = isAtLeast((5, 8), release: release)

    /// Whether a release such as `6.1.0-18-amd64` is of this version or a later one; a malformed one is not.
    static func isAtLeast(_ version: (Int, Int), release: String) -> Bool {
        let numbers = release.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= version
    }

    private static var release: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: names.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
