// SPDX-License-Identifier: MIT

internal import CCurl

/// The one owner of a libcurl multi handle, and of what it waits for.
///
/// Only the loop's thread calls it, but for ``wake()``; that is why it is Sendable. libcurl is told which socket has news:
/// left to find out, it asks the system about each transfer's own whenever one of them moves.
@safe final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// The TLS sessions of all exchanges: a host that is met again needs no whole handshake.
    private let share: UnsafeMutableRawPointer
    private let bell: Bell
    private var sockets: SocketTable
    /// When libcurl wants to be called though no socket has news.
    private var timer: ContinuousClock.Instant?

    /// Makes a handle that keeps up to `connections` connections open for whoever comes next; `nil` if the system has no
    /// descriptors left for it.
    init?(connections: Int) {
        guard let bell = Bell() else { return nil }
        guard let multi = unsafe curl_multi_init(), let share = unsafe curl_share_init() else {
            preconditionFailure("libcurl has no memory for a handle")
        }
        self.bell = bell
        sockets = SocketTable(beside: bell.ear)
        unsafe self.multi = multi
        unsafe self.share = share
        _ = unsafe ccurl_share(share, CURL_LOCK_DATA_SSL_SESSION)
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
        unsafe ccurl_multi_watch(multi, watchSocket, setTimer, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe ccurl_multi_watch(multi, nil, nil, nil)
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
        for (socket, events) in sockets.takeNews() where sockets.isWatched(socket) { act(on: socket, events) }
        if let due = timer, due <= .now {
            timer = nil
            act(on: ccurl_timeout, 0)
        }
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

    private func act(on socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, events, &running)
    }

    /// Waits for a socket, one of libcurl's timers, the deadline, or ``wake()``.
    func wait(until deadline: ContinuousClock.Instant?) {
        let end = [deadline, timer].compactMap(\.self).min()
        let longest = end.map { max(0, ContinuousClock.now.duration(to: $0).milliseconds + 1) } ?? 60_000
        let isDue = timer.map { $0 <= .now } ?? false
        sockets.wait(milliseconds: isDue ? 0 : Int32(min(longest, 60_000)))
        bell.hush()
    }

    func wake() { bell.ring() }

    fileprivate func watch(_ socket: curl_socket_t, for wish: Int32) { sockets.watch(socket, for: wish) }

    fileprivate func callAgain(inMilliseconds wait: Int) { timer = wait < 0 ? nil : .now + .milliseconds(wait) }
}

// libcurl calls these on the loop's thread, with the handle that was set beside them.

private let watchSocket: ccurl_socket_watcher = { _, socket, wish, context, _ in
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().watch(socket, for: wish)
    return 0
}

private let setTimer: ccurl_timer = { _, wait, context in
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().callAgain(inMilliseconds: wait)
    return 0
}
