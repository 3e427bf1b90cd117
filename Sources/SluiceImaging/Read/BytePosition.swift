// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension ArraySlice<UInt8> {
    /// How far from the slice's start `byte` first stands; `memchr` is many times faster than a loop here.
    func position(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress, let found = unsafe memchr(base, Int32(byte), buffer.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
