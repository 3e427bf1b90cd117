// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel
internal import SluiceSystem

/// Owns a libcurl multi handle, its sockets and its timer.
///
/// Only the transfer loop's thread uses it, except for ``wake()``, which any thread may call; hence it is Sendable.
/// It uses libcurl's socket callbacks: with `curl_multi_perform`, libcurl would poll every transfer's socket each time.
@safe final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// Shares TLS sessions between exchanges, so that a later connection to a host resumes one.
    private let share: UnsafeMutableRawPointer
    private let wakeup: WakeupPipe
    private let sockets: TransferSockets
    /// When libcurl must be called even if no socket is ready.
    private var timer: ContinuousClock.Instant?
    /// The hosts in libcurl's DNS cache.
    private var resolvedNames = RecentNames(capacity: 4096)

    /// Makes a handle that keeps up to `connections` open, and each for `idleTime` after its last use; `nil` if no file
    /// descriptors are left.
    init?(connections: Int, idleTime: Duration) {
        guard let wakeup = WakeupPipe(), let sockets = TransferSockets(wakeup: wakeup.readEnd, idleTime: idleTime)
        else { return nil }
        guard let multi = unsafe curl_multi_init(), let share = unsafe curl_share_init() else {
            preconditionFailure("libcurl cannot allocate a handle")
        }
        self.wakeup = wakeup
        self.sockets = sockets
        unsafe self.multi = multi
        unsafe self.share = share
        _ = unsafe ccurl_share(share, CURL_LOCK_DATA_SSL_SESSION)
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
        unsafe ccurl_multi_set_callbacks(
            multi, socketCallback, timerCallback, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe ccurl_multi_set_callbacks(multi, nil, nil, nil)
        unsafe curl_multi_cleanup(multi)
        unsafe curl_share_cleanup(share)
    }

    func add(_ exchange: HTTPExchange) {
        // Set only while the exchange is in the loop, because the share has no lock.
        _ = unsafe ccurl_set_pointer(exchange.easy, CURLOPT_SHARE, share)
        if sockets.isDistrusted(exchange.spec.address) { exchange.useOwnConnection() }
        if let name = exchange.resolvedName { exchange.resolve(forgetting: resolvedNames.insert(name)) }
        unsafe exchange.handle.setSocketCloser(closeSocket, Unmanaged.passUnretained(sockets).toOpaque())
        unsafe curl_multi_add_handle(multi, exchange.easy)
    }

    /// Examines the connection of a finished exchange, and returns whether bytes followed the end of the response.
    func examineConnection(of exchange: HTTPExchange) -> Bool { sockets.examine(after: exchange) }

    func remove(_ exchange: HTTPExchange) {
        unsafe curl_multi_remove_handle(multi, exchange.easy)
        _ = unsafe ccurl_set_pointer(exchange.easy, CURLOPT_SHARE, nil)
    }

    /// Handles socket events and the timer, and returns the exchanges that libcurl has finished.
    func perform() -> [(HTTPExchange.ID, CURLcode)] {
        for (socket, events) in sockets.takeEvents() where sockets.isWatched(socket) { act(on: socket, events) }
        if let due = timer, due <= .now {
            timer = nil
            act(on: ccurl_socket_timeout, 0)
        }
        return takeFinished()
    }

    /// Starts the exchanges that were added, and returns those that libcurl has finished.
    func startAdded() -> [(HTTPExchange.ID, CURLcode)] {
        sockets.checkIdle()
        timer = nil
        act(on: ccurl_socket_timeout, 0)
        return takeFinished()
    }

    private func takeFinished() -> [(HTTPExchange.ID, CURLcode)] {
        var finished: [(HTTPExchange.ID, CURLcode)] = []
        var remaining: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &remaining) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            var id: UnsafeMutableRawPointer?
            _ = unsafe ccurl_get_pointer(easy, CURLINFO_PRIVATE, &id)
            unsafe finished.append((HTTPExchange.ID(bitPattern: id), ccurl_result(message)))
        }
        return finished
    }

    private func act(on socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, events, &running)
    }

    /// Waits for a socket event, libcurl's timer, the deadline, or ``wake()``.
    func wait(until deadline: ContinuousClock.Instant?) {
        let end = [deadline, timer].compactMap(\.self).min()
        let longest = end.map { max(0, ContinuousClock.now.duration(to: $0).milliseconds + 1) } ?? 60_000
        let isDue = timer.map { $0 <= .now } ?? false
        sockets.wait(milliseconds: isDue ? 0 : Int32(min(longest, 60_000)))
        wakeup.drain()
    }

    func wake() { wakeup.signal() }

    fileprivate func watch(_ socket: curl_socket_t, for events: Int32) {
        sockets.watch(socket, for: events)
    }

    fileprivate func setTimer(milliseconds: Int) { timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds) }
}

/// The names that were used last.
struct RecentNames {
    let capacity: Int
    private var names: TextSet = []
    /// Oldest first; a ring when it is full.
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds a name, and returns those that are not kept any more.
    mutating func insert(_ name: String) -> [String] {
        guard names.insert(name) else { return [] }
        guard order.count == capacity else {
            order.append(name)
            return []
        }
        let old = order[oldest]
        order[oldest] = name
        oldest = (oldest + 1) % capacity
        names.remove(old)
        return [old]
    }
}

// libcurl calls these on the loop's thread; the context is the `MultiHandle`, or its `TransferSockets`.

private let socketCallback: ccurl_socket_callback = { _, socket, events, context, _ in
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().watch(socket, for: events)
    return 0
}

private let closeSocket: ccurl_close_socket_callback = { context, socket in
    if let context = unsafe context {
        unsafe Unmanaged<TransferSockets>.fromOpaque(context).takeUnretainedValue().remove(socket)
    }
    return close(socket)
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
