// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The test's own process: its open files and connections, and its memory.
public enum OwnProcess {
    /// Lets this process have as many as the system allows: many transfers and their servers share it.
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

    /// How many of them lead to files below that folder; `nil` where the system does not tell.
    public static func openFiles(below folder: String) -> Int? {
        let place = "/proc/self/fd"
        guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: place) else { return nil }
        return numbers.count { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\(number)"))?.hasPrefix(folder)
                == true
        }
    }

    /// How many connections to a port of this machine are held open by whoever made them; `nil` where the system does not
    /// tell.
    public static func connections(to port: UInt16) -> Int? {
        // `String(contentsOfFile:)` takes the first page of it for the whole.
        guard let file = FileHandle(forReadingAtPath: "/proc/net/tcp"), let bytes = try? file.readToEnd() else {
            return nil
        }
        let table = String(decoding: bytes, as: UTF8.self)
        let hex = String(port, radix: 16, uppercase: true)
        let place = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        // Being made, made, and closed by the other side alone.
        let open = ["02", "01", "08"]
        return table.split(separator: "\n").dropFirst().count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2].hasSuffix(place) && open.contains(String(words[3]))
        }
    }

    /// The bytes of this process that are in memory; `nil` where the system does not tell.
    public static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}
