// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The machine that a benchmark ran on.
package struct BenchMachine: Sendable, Hashable {
    /// The number of cores that this process may use.
    package var cores: Int
    /// The processor's name, if the system reports it.
    package var processor: String?
    /// The operating system and its version.
    package var system: String

    package static var current: BenchMachine {
        var names = utsname()
        unsafe uname(&names)
        let system = "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
        return BenchMachine(cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), processor: processor, system: system)
    }

    private static func text<Tuple>(_ tuple: Tuple) -> String {
        unsafe withUnsafeBytes(of: tuple) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static var processor: String? {
        let descriptor = unsafe open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("model name") }),
            let colon = line.firstIndex(of: ":")
        else { return nil }
        return String(line[colon...].dropFirst().drop { $0 == " " })
    }
}
