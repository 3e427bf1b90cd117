// SPDX-License-Identifier: MIT

internal import CCurl

/// The sockets that the transfer loop waits for, and its wakeup pipe.
///
/// The poller gets changes only before it waits, because most of them cancel out: libcurl removes the socket of
/// a finished exchange, which is then watched as an idle connection, and again for the next exchange.
struct SocketTable: ~Copyable {
    private var poller: Poller
    private var watches: [curl_socket_t: Watch] = [:]
    private var changed: Set<curl_socket_t> = []

    private struct Watch {
        /// The events to wait for, as libcurl's flags; zero for none.
        var events: Int32 = 0
        /// The events that the poller waits for; zero for none.
        var known: Int32 = 0
        /// Whether the poller may know another socket, which had the same number.
        var isUncertain = false
    }

    /// Returns `nil` if the process has no file descriptors left.
    init?(wakeup: Int32) {
        guard let poller = Poller(wakeup: wakeup) else { return nil }
        self.poller = poller
    }

    /// Sets the events that libcurl waits for on a socket; after `CURL_POLL_REMOVE` it may close the socket.
    mutating func watch(_ socket: curl_socket_t, for events: Int32) {
        var watch = watches[socket] ?? Watch()
        if watch.events == 0, watch.known != 0 { watch.isUncertain = true }
        watch.events = events == CURL_POLL_REMOVE ? 0 : events & CURL_POLL_INOUT
        watches[socket] = watch
        changed.insert(socket)
    }

    /// Waits for bytes on the socket of an idle connection, which libcurl has removed and not closed.
    mutating func watchIdle(_ socket: curl_socket_t) {
        watches[socket, default: Watch()].events = CURL_POLL_IN
        changed.insert(socket)
    }

    /// Forgets a socket that is about to be closed.
    mutating func forget(_ socket: curl_socket_t) {
        if let watch = watches.removeValue(forKey: socket), watch.known != 0 { poller.remove(socket) }
        changed.remove(socket)
    }

    /// Waits until a socket is ready, for at most this many milliseconds; returns the ready ones with libcurl's flags.
    mutating func wait(milliseconds: Int32) -> [(socket: curl_socket_t, events: Int32)] {
        let refused = changed.filter { !update($0) }
        changed = refused
        // The kernel has no memory for a socket; it may have some soon.
        return poller.wait(milliseconds: refused.isEmpty ? milliseconds : min(milliseconds, 100))
    }

    /// Passes a change to the poller; returns `false` if it refuses.
    private mutating func update(_ socket: curl_socket_t) -> Bool {
        guard let watch = watches[socket] else { return true }
        if watch.events == 0 {
            if watch.known != 0 { poller.remove(socket) }
            watches[socket] = nil
        } else if watch.events != watch.known || watch.isUncertain {
            guard poller.set(watch.events, for: socket, isKnown: watch.known != 0) else { return false }
            watches[socket] = Watch(events: watch.events, known: watch.events)
        }
        return true
    }

    /// Whether libcurl waits for events of the socket, or its connection is idle.
    func isWatched(_ socket: curl_socket_t) -> Bool { (watches[socket]?.events ?? 0) != 0 }
}
