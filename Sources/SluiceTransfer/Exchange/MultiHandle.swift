// SPDX-License-Identifier: MIT

internal import CCurl

/// The one owner of a libcurl multi handle.
///
/// Only the loop's thread calls it, but for ``wake()``, which libcurl allows from any; that is why it is Sendable.
@safe final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init() {
        guard let multi = unsafe curl_multi_init() else { preconditionFailure("libcurl has no memory for a handle") }
        unsafe self.multi = multi
    }

    deinit { unsafe curl_multi_cleanup(multi) }

    func add(_ exchange: Exchange) {
        unsafe curl_multi_add_handle(multi, exchange.easy)
    }

    func remove(_ exchange: Exchange) {
        unsafe curl_multi_remove_handle(multi, exchange.easy)
    }

    /// Moves what can be moved, and tells of each exchange that libcurl has ended.
    func perform() -> [(Exchange.ID, CURLcode)] {
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        var ended: [(Exchange.ID, CURLcode)] = []
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            var id: UnsafeMutableRawPointer?
            _ = unsafe ccurl_get_pointer(easy, CURLINFO_PRIVATE, &id)
            unsafe ended.append((Exchange.ID(bitPattern: id), ccurl_result(message)))
        }
        return ended
    }

    /// Waits for a socket, one of libcurl's timers, or ``wake()``.
    func wait() {
        unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }
}
