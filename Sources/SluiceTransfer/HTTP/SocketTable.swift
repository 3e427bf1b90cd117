// SPDX-License-Identifier: MIT

internal import CCurl

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The `poll` entries of libcurl's sockets; the first entry is the loop's wakeup pipe.
struct SocketTable {
    private var entries: [pollfd]
    private var indices: [curl_socket_t: Int] = [:]

    init(wakeup: Int32) {
        entries = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
    }

    /// Sets the events that libcurl waits for on a socket; `CURL_POLL_REMOVE` removes the socket.
    mutating func watch(_ socket: curl_socket_t, for events: Int32) {
        guard events != CURL_POLL_REMOVE else { return remove(socket) }
        let reads: Int32 = events & CURL_POLL_IN != 0 ? POLLIN : 0
        let writes: Int32 = events & CURL_POLL_OUT != 0 ? POLLOUT : 0
        let entry = pollfd(fd: socket, events: Int16(reads | writes), revents: 0)
        if let index = indices[socket] {
            entries[index] = entry
        } else {
            indices[socket] = entries.count
            entries.append(entry)
        }
    }

    private mutating func remove(_ socket: curl_socket_t) {
        guard let index = indices.removeValue(forKey: socket), let last = entries.popLast(), index < entries.count
        else { return }
        entries[index] = last
        indices[last.fd] = index
    }

    /// Waits until an entry is ready, for at most this many milliseconds.
    mutating func wait(milliseconds: Int32) {
        let count = nfds_t(entries.count)
        // After an interruption by a signal, no entry is ready.
        if unsafe poll(&entries, count, milliseconds) < 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// Removes and returns the events since the last call, as libcurl's flags.
    mutating func takeEvents() -> [(socket: curl_socket_t, events: Int32)] {
        var ready: [(curl_socket_t, Int32)] = []
        for index in entries.indices where entries[index].revents != 0 {
            let events = Int32(entries[index].revents)
            entries[index].revents = 0
            guard index > 0 else { continue }
            // A socket with an error counts as readable and writable: the next call on it reports the error.
            let reads = events & (POLLIN | POLLHUP | POLLERR) != 0 ? CURL_CSELECT_IN : 0
            let writes = events & (POLLOUT | POLLERR) != 0 ? CURL_CSELECT_OUT : 0
            ready.append((entries[index].fd, reads | writes))
        }
        return ready
    }

    func isWatched(_ socket: curl_socket_t) -> Bool { indices[socket] != nil }
}
