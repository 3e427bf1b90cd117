// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where this program is, so that it can start itself.
func ownPath() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if canImport(Darwin)
        var count = UInt32(bytes.count)
        unsafe _NSGetExecutablePath(&bytes, &count)
    #else
        // The file itself, even where its name was given to another one meanwhile.
        _ = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
    #endif
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
