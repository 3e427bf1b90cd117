// SPDX-License-Identifier: MIT

internal import CCurl

extension EasyHandle {
    /// How long the parts of the transfer took that began at `begin`, as libcurl measured them.
    ///
    /// On a connection that was open, whatever came before the request belongs to the wait for the first byte.
    borrowing func times(since begin: ContinuousClock.Instant) -> TransferTimes {
        var times = TransferTimes(begin: begin)
        let first = time(CURLINFO_STARTTRANSFER_TIME_T)
        var asked = Duration.zero
        if isNewConnection {
            let (named, connected) = (time(CURLINFO_NAMELOOKUP_TIME_T), time(CURLINFO_CONNECT_TIME_T))
            asked = max(connected, time(CURLINFO_APPCONNECT_TIME_T))
            times.dns = named
            times.connect = max(.zero, connected - named)
            times.tls = asked - connected
        }
        times.firstByte = max(.zero, first - asked)
        times.body = max(.zero, time(CURLINFO_TOTAL_TIME_T) - first)
        return times
    }

    private borrowing func time(_ info: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        _ = unsafe ccurl_get_offset(pointer, info, &microseconds)
        return .microseconds(Int64(microseconds))
    }

    private var isNewConnection: Bool {
        var count = 0
        _ = unsafe ccurl_get_long(pointer, CURLINFO_NUM_CONNECTS, &count)
        return count > 0
    }
}
