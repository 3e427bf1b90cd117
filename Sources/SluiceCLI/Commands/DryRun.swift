// SPDX-License-Identifier: MIT

internal import Sluice

/// `mirror --dry-run`: what would be fetched goes to standard output, and nothing anywhere else.
struct DryRun {
    let mirror: Mirror
    let isQuiet: Bool
    let console: Console

    func run() async -> ExitCode {
        let stopped = Locked<Int32?>(nil)
        let signals = Signals(stopping: mirror, noting: stopped)
        defer { signals.end() }
        let rehearsal: Rehearsal
        do throws(MirrorError) {
            rehearsal = try await mirror.rehearse { [console] lines in console.out.write(lines) }
        } catch {
            return console.fail(error)
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

/// `mirror --prune --dry-run`: what would be removed goes to standard output, and nothing anywhere else.
struct PruneDryRun {
    let mirror: Mirror
    let console: Console

    func run() async -> ExitCode {
        let stopped = Locked<Int32?>(nil)
        let signals = Signals(stopping: mirror, noting: stopped)
        defer { signals.end() }
        do throws(MirrorError) {
            let rehearsal = try await mirror.rehearsePruning { [console] lines in console.out.write(lines) }
            if let code = console.out.exitCode { return code }
            if let number = stopped.withLock({ $0 }) { return .signal(number) }
            return tell(rehearsal)
        } catch {
            return console.fail(error)
        }
    }

    private func tell(_ rehearsal: PruneRehearsal) -> ExitCode {
        if let failure = rehearsal.failure {
            console.complain("page \(rehearsal.pages + 1) of the feed: \(failure); nothing would go")
            return rehearsal.pages == 0 ? .feed : .itemsFailed
        }
        console.tell("dry run: \(rehearsal.gone) of \(counted(rehearsal.all, "photo")) would go")
        guard let refusal = rehearsal.refusal else { return .done }
        console.complain(refusal)
        return .limit
    }
}

extension Signals {
    /// Takes note of the first signal, and asks the mirror to stop.
    convenience init(stopping mirror: Mirror, noting stopped: Locked<Int32?>) {
        self.init(
            first: { number in
                stopped.withLock { $0 = number }
                mirror.stop(.signal(number))
            }, beforeEnd: {})
    }
}
