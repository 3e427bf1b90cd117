// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Facts about the test process: its open files, connections and memory.
public enum OwnProcess {
    /// Raises the limit of open files to the maximum: many transfers and their servers share this process.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    /// The number of open files below `folder`; `nil` where the system does not report it.
    public static func openFiles(below folder: String) -> Int? {
        let place = "/proc/self/fd"
        guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: place) else { return nil }
        return numbers.count { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\(number)"))?.hasPrefix(folder)
                == true
        }
    }

    /// The number of connections to a local port that their clients hold open; `nil` where the system does not report
    /// it.
    public static func connections(to port: UInt16) -> Int? {
        // `String(contentsOfFile:)` would return only the first page of the file.
        guard let file = FileHandle(forReadingAtPath: "/proc/net/tcp"), let bytes = try? file.readToEnd() else {
            return nil
        }
        let table = String(decoding: bytes, as: UTF8.self)
        let hex = String(port, radix: 16, uppercase: true)
        let place = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        // SYN_SENT, ESTABLISHED and CLOSE_WAIT (closed by the server only).
        let open = ["02", "01", "08"]
        return table.split(separator: "\n").dropFirst().count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2].hasSuffix(place) && open.contains(String(words[3]))
        }
    }

    /// The resident memory of this process in bytes; `nil` where the system does not report it.
    public static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}
