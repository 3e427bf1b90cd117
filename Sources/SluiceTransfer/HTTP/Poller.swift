// SPDX-License-Identifier: MIT

internal import CCurl
internal import CLinux
internal import SluiceFiles
internal import SluiceSystem

/// Waits until one of a set of sockets is ready, or the wakeup pipe.
///
/// The kernel keeps the set on Linux (`epoll`); other systems get it with each call (`poll`).
@safe struct Poller: ~Copyable {
    private let wakeup: Int32

    #if canImport(Darwin)
        private var events: [curl_socket_t: Int32] = [:]

        init?(wakeup: Int32) { self.wakeup = wakeup }

        mutating func set(_ flags: Int32, for socket: curl_socket_t, isKnown: Bool) -> Bool {
            events[socket] = flags
            return true
        }

        mutating func remove(_ socket: curl_socket_t) { events[socket] = nil }

        mutating func wait(milliseconds: Int32) -> [(socket: curl_socket_t, events: Int32)] {
            var entries = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
            for (socket, flags) in events {
                let (reads, writes) = (flags & CURL_POLL_IN != 0, flags & CURL_POLL_OUT != 0)
                let wanted = Int16(reads ? POLLIN : 0) | Int16(writes ? POLLOUT : 0)
                entries.append(pollfd(fd: socket, events: wanted, revents: 0))
            }
            // After an interruption by a signal, no socket is ready.
            guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
            return entries.dropFirst().filter { $0.revents != 0 }.map { entry in
                let events = Int32(entry.revents)
                let reads = events & (POLLIN | POLLHUP | POLLERR) != 0 ? CURL_CSELECT_IN : 0
                let writes = events & (POLLOUT | POLLERR) != 0 ? CURL_CSELECT_OUT : 0
                return (entry.fd, reads | writes)
            }
        }
    #else
        private static let (readable, writable) = (EPOLLIN.rawValue, EPOLLOUT.rawValue)
        private let queue: Int32
        /// Room for the events of all sockets.
        private var ready: [epoll_event] = unsafe []
        private var count = 1

        /// Returns `nil` if the process has no file descriptors left.
        init?(wakeup: Int32) {
            let queue = DescriptorReserve.admit(epoll_create1(Int32(EPOLL_CLOEXEC)))
            guard queue >= 0 else { return nil }
            guard Self.control(queue, EPOLL_CTL_ADD, wakeup, Self.readable) else {
                close(queue)
                return nil
            }
            (self.queue, self.wakeup) = (queue, wakeup)
        }

        deinit { close(queue) }

        /// Waits for these events on a socket, as libcurl's flags; returns `false` if the kernel has no memory for it.
        ///
        /// A socket that is known may have been closed, and its number given to another one.
        mutating func set(_ flags: Int32, for socket: curl_socket_t, isKnown: Bool) -> Bool {
            let events =
                (flags & CURL_POLL_IN != 0 ? Self.readable : 0) | (flags & CURL_POLL_OUT != 0 ? Self.writable : 0)
            if isKnown, Self.control(queue, EPOLL_CTL_MOD, socket, events) { return true }
            guard Self.control(queue, EPOLL_CTL_ADD, socket, events) else { return false }
            if !isKnown { count += 1 }
            return true
        }

        /// Forgets a socket; one that was closed is forgotten already.
        mutating func remove(_ socket: curl_socket_t) {
            _ = Self.control(queue, EPOLL_CTL_DEL, socket, 0)
            count -= 1
        }

        /// Returns the ready sockets after at most this many milliseconds, with libcurl's flags.
        mutating func wait(milliseconds: Int32) -> [(socket: curl_socket_t, events: Int32)] {
            if unsafe ready.count < count {
                unsafe ready = [epoll_event](repeating: epoll_event(), count: max(64, 2 * count))
            }
            // After an interruption by a signal, no socket is ready.
            let found = unsafe epoll_wait(queue, &ready, Int32(ready.count), milliseconds)
            return unsafe ready.prefix(max(0, Int(found))).compactMap { event in
                let socket = unsafe event.data.fd
                guard socket != wakeup else { return nil }
                // A socket with an error counts as readable and writable: the next call on it reports the error.
                let reads = unsafe event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
                let writes = unsafe event.events & (EPOLLOUT.rawValue | EPOLLERR.rawValue) != 0
                return (socket, (reads ? CURL_CSELECT_IN : 0) | (writes ? CURL_CSELECT_OUT : 0))
            }
        }

        private static func control(_ queue: Int32, _ operation: Int32, _ socket: Int32, _ events: UInt32) -> Bool {
            var event = unsafe epoll_event(events: events, data: epoll_data_t(fd: socket))
            return unsafe epoll_ctl(queue, operation, socket, &event) == 0
        }
    #endif
}
