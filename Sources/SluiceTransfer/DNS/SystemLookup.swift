// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The result of one lookup.
struct LookupResult: Sendable {
    var answer: ResolverState.Answer
    /// Whether the answer may be cached; after a temporary failure, the next lookup may succeed.
    var isDefinitive: Bool
}

/// Looks a name up with `getaddrinfo`, which uses the system's hosts file, caches and name servers.
@Sendable func lookUpWithSystem(_ name: String) -> LookupResult {
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
        let reason =
            code == EAI_SYSTEM ? unsafe String(cString: strerror(errno)) : unsafe String(cString: gai_strerror(code))
        let isUnknown = code == EAI_NONAME
        let failure = Failure(.dns, "\(name): \(reason)", hint: isUnknown ? .checkHostName : nil)
        return LookupResult(answer: .failure(failure), isDefinitive: isUnknown)
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
    return LookupResult(answer: .success(addresses), isDefinitive: true)
}
