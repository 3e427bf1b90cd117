// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceImaging

/// Checks that each codec decodes a picture to the right pixels.
enum CodecChecks {
    @Sendable static func run() -> [HealthCheckResult] {
        CodecCheck.runAll().map { check in
            if let package = check.missingPackage {
                return HealthCheckResult(
                    check.format.name, .warning, "cannot be read without a library",
                    advice: "install \(package) if you need it")
            }
            guard let problem = check.problem else {
                let library = check.loadedLibrary.map { " with \($0.name) \($0.version)" } ?? ""
                return HealthCheckResult(
                    check.format.name, .ok, (check.canEncode ? "encodes and decodes" : "decodes") + library)
            }
            return HealthCheckResult(
                check.format.name, .problem, problem,
                advice: "reinstall the distribution's library")
        }
    }
}

/// Checks which sandbox protections decoders have on this machine, by starting a worker process.
enum IsolationCheck {
    private static let name = "decoders"

    static func run(_ isolation: Isolation) -> [HealthCheckResult] {
        guard case .workers(let executable, _) = isolation else { return [] }
        do throws(WorkerProcess.LaunchError) {
            let worker = try WorkerProcess(executable, ThumbnailOptions())
            return [result(for: worker.protections)]
        } catch {
            return [
                HealthCheckResult(
                    name, .problem, "cannot be isolated, because no worker can be started: \(error.reason)",
                    advice: """
                        check that /proc is mounted and that processes can be started, or decode photos from trusted \
                        hosts without isolation
                        """)
            ]
        }
    }

    static func result(for protections: SandboxProtections) -> HealthCheckResult {
        let missing = protections.missing
        guard !missing.isEmpty else {
            let detail =
                "cannot access files, network or other processes (Landlock \(protections.landlock), seccomp)"
            return HealthCheckResult(name, .ok, detail)
        }
        let isWeak = !protections.missingEssentials.isEmpty
        return HealthCheckResult(
            name, isWeak ? .problem : .warning,
            "run in separate processes, but without \(missing.joined(separator: " and "))",
            advice: "use a newer kernel, or a container that permits these protections"
                + (isWeak ? ", or accept a weak sandbox" : ""))
    }
}
