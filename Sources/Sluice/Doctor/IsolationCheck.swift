// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// What decoders are kept from on this machine: a worker is started, and asked.
enum IsolationCheck {
    private static let name = "decoders"

    static func findings(_ isolation: Isolation) -> [Finding] {
        guard case .workers(let executable) = isolation else { return [] }
        do throws(WorkerProcess.Refusal) {
            let worker = try WorkerProcess(executable, ThumbnailOptions())
            return [finding(worker.confinement)]
        } catch {
            return [
                Finding(
                    name, .warning, "run in the main process, because a worker cannot be started: \(error.words)",
                    advice:
                        "see that /proc is mounted and processes may be started, or mirror from hosts that you trust")
            ]
        }
    }

    static func finding(_ confinement: Confinement) -> Finding {
        let lacks = [
            (confinement.landlock > 0, "Landlock"), (confinement.filtersCalls, "a filter of system calls (seccomp)"),
            (confinement.hasLimits, "limits on memory and files"),
            (confinement.hasNoNewPrivileges, "a bar to new privileges"),
        ].filter { !$0.0 }.map(\.1)
        guard !lacks.isEmpty else {
            let detail = "kept from files, network and other processes (Landlock \(confinement.landlock), seccomp)"
            return Finding(name, .ok, detail)
        }
        return Finding(
            name, .warning, "in processes of their own, but without \(lacks.joined(separator: " and "))",
            advice: "a newer kernel, or a container that allows it, guards them better")
    }
}
