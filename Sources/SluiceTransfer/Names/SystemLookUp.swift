// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a look-up found, and whether name servers stand by it: no answer may be one the next time.
struct LookUpResult: Sendable {
    var answer: NameTable.Answer
    var isFinal: Bool
}

/// Asks the system, with all that it knows: files, caches, name servers.
@Sendable func systemLookUp(_ name: String) -> LookUpResult {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_ADDRCONFIG
    #if canImport(Darwin)
        unsafe hints.ai_socktype = SOCK_STREAM
    #else
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else {
        let words =
            code == EAI_SYSTEM ? unsafe String(cString: strerror(errno)) : unsafe String(cString: gai_strerror(code))
        return LookUpResult(answer: .failure(Failure(.dns, "\(name): \(words)")), isFinal: code == EAI_NONAME)
    }
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    var addresses: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
        if let address = unsafe entry.pointee.ai_addr, let number = unsafe NetworkAddress(UnsafeRawPointer(address)) {
            addresses.append(number)
        }
        unsafe next = entry.pointee.ai_next
    }
    return LookUpResult(answer: .success(addresses), isFinal: true)
}
