// SPDX-License-Identifier: MIT

internal import CCurl

/// The one owner of a libcurl easy handle and of the lists that it refers to.
@safe struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    private let message: UnsafeMutablePointer<CChar>

    init() {
        guard let pointer = unsafe curl_easy_init() else { preconditionFailure("libcurl has no memory for a handle") }
        unsafe self.pointer = pointer
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
    }

    /// What libcurl says of its last failure, with the host, the sizes and the times that belong to it.
    var words: String { unsafe String(cString: message) }

    /// How many bytes of bodies came over the wire, before they were decompressed.
    var wireBytes: Int {
        var bytes: curl_off_t = 0
        _ = unsafe ccurl_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int(bytes)
    }

    /// Why a certificate was not trusted, by OpenSSL's numbers; 0 if none was found wanting.
    var verdictOnCertificate: Int {
        var verdict = 0
        _ = unsafe ccurl_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &verdict)
        return verdict
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe message.deallocate()
        unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    }

    // An option that libcurl refuses is a mistake of ours, never of a feed's or a user's: addresses and headers are
    // copied unread by these calls.

    borrowing func set(_ option: CURLoption, _ value: Int) {
        let code = unsafe ccurl_set_long(pointer, option, value)
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue)")
    }

    borrowing func set(_ option: CURLoption, _ value: String) {
        let code = unsafe ccurl_set_string(pointer, option, value)
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue)")
    }

    mutating func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values { unsafe list = curl_slist_append(list, value) }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        _ = unsafe ccurl_set_list(pointer, option, list)
    }

    /// Refuses every scheme but http and https, also where a library's user had others in mind.
    borrowing func allowWebAlone() {
        _ = unsafe ccurl_allow_web(pointer)
    }

    /// Has libcurl call `opener` with `context` in place of `socket`.
    borrowing func setOpener(_ opener: ccurl_opener, _ context: UnsafeMutableRawPointer) {
        _ = unsafe ccurl_set_opener(pointer, opener)
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context)
    }

    /// Gives the handle a number to be told apart by.
    borrowing func setPrivate(_ number: UInt) {
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: number))
    }

    /// Has libcurl call `receiver` with data and `context`.
    borrowing func set(
        _ function: CURLoption, _ receiver: ccurl_receiver, _ option: CURLoption, _ context: UnsafeMutableRawPointer
    ) {
        _ = unsafe ccurl_set_receiver(pointer, function, receiver)
        _ = unsafe ccurl_set_pointer(pointer, option, context)
    }
}
