// SPDX-License-Identifier: MIT

internal import SluiceBrowser
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// Checks whether a process may open as many files and connections as a run needs.
enum DescriptorCheck {
    /// With this limit, a run with a few hundred items in flight works.
    static let recommended = 1024

    @Sendable static func run() -> [HealthCheckResult] {
        guard let limit = DescriptorLimit.system() else {
            return [HealthCheckResult("open files", .warning, "cannot read the system's limit")]
        }
        return [result(soft: limit.soft, hard: limit.hard)]
    }

    static func result(soft: Int, hard: Int) -> HealthCheckResult {
        let most = hard == soft ? "" : hard == .max ? ", can be raised without limit" : ", can be raised to \(hard)"
        let detail = soft == .max ? "no limit" : "at most \(soft)\(most)"
        let advice = "raise the limit with `ulimit -n \(recommended)`, or run with lower concurrency"
        if soft < DescriptorLimit.minimum { return HealthCheckResult("open files", .problem, detail, advice: advice) }
        if soft < recommended { return HealthCheckResult("open files", .warning, detail, advice: advice) }
        return HealthCheckResult("open files", .ok, detail)
    }
}

/// Checks that the current folder is writable and has enough free space for a mirror.
enum DiskCheck {
    /// Less free space than this, in bytes, gives a warning.
    static let recommended = 1 << 30
    /// Less free space than this, in bytes, is a problem.
    static let minimum = 64 << 20

    @Sendable static func run() -> [HealthCheckResult] { results(in: ".") }

    static func results(in path: String) -> [HealthCheckResult] {
        do {
            let folder = try Folder(path)
            try folder.checkWritable()
            return [
                HealthCheckResult("current folder", .ok, "is writable"), result(freeBytes: try folder.freeBytes()),
            ]
        } catch {
            return [
                HealthCheckResult(
                    "current folder", .problem, "is not writable: \(error.reason)",
                    advice: "change to a writable folder, or name one as the output")
            ]
        }
    }

    static func result(freeBytes: Int) -> HealthCheckResult {
        let detail = "\(freeBytes / 1_000_000) MB free in the current folder"
        let advice = "free some space, or name an output folder on another disk"
        if freeBytes < minimum { return HealthCheckResult("free space", .problem, detail, advice: advice) }
        if freeBytes < recommended { return HealthCheckResult("free space", .warning, detail, advice: advice) }
        return HealthCheckResult("free space", .ok, detail)
    }
}

/// Checks that the clock shows a plausible date: with a wrong clock, TLS certificates are rejected.
enum ClockCheck {
    /// The longest plausible time in seconds between the build of this version and its use.
    static let horizon = 30 * 365 * 86_400

    @Sendable static func run() -> [HealthCheckResult] { [result(now: Int(time(nil)))] }

    static func result(now: Int) -> HealthCheckResult {
        let advice = "set the clock (`timedatectl set-ntp true`): with a wrong one, https connections fail"
        let date = UTCTime(secondsSince1970: now).date
        if now < Version.epoch {
            return HealthCheckResult(
                "clock", .problem, "shows \(date), before this version was built", advice: advice)
        }
        if now - Version.epoch > horizon {
            return HealthCheckResult("clock", .problem, "shows \(date), far in the future", advice: advice)
        }
        return HealthCheckResult("clock", .ok, "shows \(date)")
    }
}

/// Checks that libcurl has what requests use: it is a library of the system, which others may have built.
enum TransferCheck {
    @Sendable static func run() -> [HealthCheckResult] {
        guard Transfers.hasLibrary else {
            return [HealthCheckResult("transfers", .problem, "cannot load libcurl", advice: "install libcurl")]
        }
        let version = Transfers.loadedLibraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        return [result(version, hasTLS: Transfers.hasTLS, hasHTTP2: Transfers.hasHTTP2)]
    }

    static func result(_ version: String, hasTLS: Bool, hasHTTP2: Bool) -> HealthCheckResult {
        let advice = "use the distribution's libcurl"
        if !hasTLS { return HealthCheckResult("transfers", .problem, "\(version) has no TLS", advice: advice) }
        if !hasHTTP2 {
            return HealthCheckResult(
                "transfers", .warning, "\(version) has no HTTP/2, so that hosts get requests of HTTP/1.1",
                advice: advice)
        }
        return HealthCheckResult("transfers", .ok, version)
    }
}

/// Checks that the system has CA certificates, which https needs.
enum CertificateCheck {
    @Sendable static func run() -> [HealthCheckResult] { [result(.system)] }

    static func result(_ trusted: TrustedCertificates) -> HealthCheckResult {
        let places = [trusted.file, trusted.folder].compactMap(\.self)
        if let file = trusted.file {
            // A run refuses a file that the user named and that cannot be read, also if there is a folder.
            if hasCertificate(file) { return HealthCheckResult("certificates", .ok, file) }
        } else if let folder = trusted.folder, unsafe access(folder, R_OK | X_OK) == 0 {
            return HealthCheckResult("certificates", .ok, folder)
        }
        let missing = places.isEmpty ? TrustedCertificates.knownFiles : places
        return HealthCheckResult(
            "certificates", .problem, "not found in \(missing.joined(separator: ", "))",
            advice: trusted.variable.map { "correct \($0): without certificates, https connections fail" }
                ?? "install the package ca-certificates: without certificates, https connections fail")
    }

    /// Whether the file is readable and a certificate begins within its first 64 KiB.
    private static func hasCertificate(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return false }
        return String(decoding: bytes[..<count], as: UTF8.self).contains("-----BEGIN ")
    }
}

/// Checks that the installed browser starts in its sandbox and without a network.
enum BrowserCheck {
    private static let name = "browser"

    @Sendable static func run() -> [HealthCheckResult] {
        guard let browser = try? InstalledBrowser() else {
            return [
                HealthCheckResult(
                    name, .ok, "none is installed; only pages that scripts build need one (package chromium)")
            ]
        }
        let answer = OneShot<HealthCheckResult>()
        Task {
            do throws(Failure) {
                let (version, isIsolated) = try await browser.examine()
                let network = isIsolated ? "" : ", without a network namespace"
                answer.set(HealthCheckResult(name, .ok, "\(browser.path) is \(version) in its own sandbox\(network)"))
            } catch {
                answer.set(
                    HealthCheckResult(
                        name, .warning, error.detail, advice: "start it by hand, or install another browser"))
            }
        }
        return [answer.waitForValue()]
    }
}
