// SPDX-License-Identifier: MIT

internal import Sluice

/// `mirror --dry-run`: what would be fetched goes to standard output, and nothing anywhere else.
struct DryRun {
    let mirror: Mirror
    let isQuiet: Bool
    let console: Console

    func run() async -> ExitCode {
        let stopped = Locked<Int32?>(nil)
        let signals = Signals(
            first: { [mirror] number in
                stopped.withLock { $0 = number }
                mirror.stop(.signal(number))
            },
            beforeEnd: {})
        defer { signals.end() }
        let rehearsal: Rehearsal
        do throws(MirrorError) {
            rehearsal = try await mirror.rehearse { [console] lines in console.out.write(lines) }
        } catch {
            console.complain(error.message)
            return ExitCode(error.code)
        }
        if let code = console.out.exitCode { return code }
        if let number = stopped.withLock({ $0 }) { return .signal(number) }
        return tell(rehearsal)
    }

    private func tell(_ rehearsal: Rehearsal) -> ExitCode {
        if !isQuiet { for note in rehearsal.notes { console.tell(escaped(note, columns: 1000)) } }
        if let failure = rehearsal.failure {
            console.complain("page \(rehearsal.pages + 1) of the feed: \(failure)")
        }
        let failed = rehearsal.failed > 0 ? ", and \(counted(rehearsal.failed, "record")) could not" : ""
        console.tell("dry run: \(counted(rehearsal.photos, "photo")) would be fetched\(failed)")
        if rehearsal.failure != nil { return rehearsal.pages == 0 ? .feed : .itemsFailed }
        return rehearsal.failed > 0 ? .itemsFailed : .done
    }
}
