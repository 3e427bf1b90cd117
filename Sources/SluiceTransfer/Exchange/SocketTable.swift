// SPDX-License-Identifier: MIT

internal import CCurl

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The sockets that libcurl wants to be told of, as `poll` takes them, behind one that is not libcurl's.
struct SocketTable {
    private var entries: [pollfd]
    private var places: [curl_socket_t: Int] = [:]

    init(beside first: Int32) {
        entries = [pollfd(fd: first, events: Int16(POLLIN), revents: 0)]
    }

    /// Takes note of what libcurl wants of a socket; `CURL_POLL_REMOVE` is nothing any more.
    mutating func watch(_ socket: curl_socket_t, for wish: Int32) {
        guard wish != CURL_POLL_REMOVE else { return forget(socket) }
        let reads: Int32 = wish & CURL_POLL_IN != 0 ? POLLIN : 0
        let writes: Int32 = wish & CURL_POLL_OUT != 0 ? POLLOUT : 0
        let entry = pollfd(fd: socket, events: Int16(reads | writes), revents: 0)
        if let place = places[socket] {
            entries[place] = entry
        } else {
            places[socket] = entries.count
            entries.append(entry)
        }
    }

    private mutating func forget(_ socket: curl_socket_t) {
        guard let place = places.removeValue(forKey: socket), let last = entries.popLast(), place < entries.count else {
            return
        }
        entries[place] = last
        places[last.fd] = place
    }

    /// Waits until something happens to one of them, for so many milliseconds at most.
    mutating func wait(milliseconds: Int32) {
        let count = nfds_t(entries.count)
        // Interrupted by a signal, nothing has happened.
        if unsafe poll(&entries, count, milliseconds) < 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// Takes out what has happened, in libcurl's terms.
    mutating func takeNews() -> [(socket: curl_socket_t, events: Int32)] {
        var news: [(curl_socket_t, Int32)] = []
        for index in entries.indices where entries[index].revents != 0 {
            let events = Int32(entries[index].revents)
            entries[index].revents = 0
            guard index > 0 else { continue }
            // An error is found by whoever reads or writes.
            let reads = events & (POLLIN | POLLHUP | POLLERR) != 0 ? CURL_CSELECT_IN : 0
            let writes = events & (POLLOUT | POLLERR) != 0 ? CURL_CSELECT_OUT : 0
            news.append((entries[index].fd, reads | writes))
        }
        return news
    }

    func isWatched(_ socket: curl_socket_t) -> Bool { places[socket] != nil }
}
