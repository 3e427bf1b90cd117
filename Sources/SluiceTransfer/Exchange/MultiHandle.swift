// SPDX-License-Identifier: MIT

internal import CCurl

/// The one owner of a libcurl multi handle.
///
/// Only the loop's thread calls it, but for ``wake()``, which libcurl allows from any; that is why it is Sendable.
@safe final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// The TLS sessions of all exchanges: a host that is met again needs no whole handshake.
    private let share: UnsafeMutableRawPointer

    /// Makes a handle that keeps up to `connections` connections open for whoever comes next.
    init(connections: Int) {
        guard let multi = unsafe curl_multi_init(), let share = unsafe curl_share_init() else {
            preconditionFailure("libcurl has no memory for a handle")
        }
        unsafe self.multi = multi
        unsafe self.share = share
        _ = unsafe ccurl_share(share, CURL_LOCK_DATA_SSL_SESSION)
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    }

    deinit {
        unsafe curl_multi_cleanup(multi)
        unsafe curl_share_cleanup(share)
    }

    func add(_ exchange: Exchange) {
        // Shared only while the exchange is in the loop: the share has no lock.
        _ = unsafe ccurl_set_pointer(exchange.easy, CURLOPT_SHARE, share)
        unsafe curl_multi_add_handle(multi, exchange.easy)
    }

    func remove(_ exchange: Exchange) {
        unsafe curl_multi_remove_handle(multi, exchange.easy)
        _ = unsafe ccurl_set_pointer(exchange.easy, CURLOPT_SHARE, nil)
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

    /// Waits for a socket, one of libcurl's timers, the deadline, or ``wake()``.
    func wait(until deadline: ContinuousClock.Instant?) {
        let longest = deadline.map { max(0, ContinuousClock.now.duration(to: $0).milliseconds + 1) } ?? 60_000
        unsafe curl_multi_poll(multi, nil, 0, Int32(min(longest, 60_000)), nil)
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }
}
