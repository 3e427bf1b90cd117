// SPDX-License-Identifier: MIT

internal import Sluice

/// A command's `--dry-run`: what would be done goes to standard output, and nothing anywhere else.
struct DryRun {
    let mirror: Mirror
    let console: Console

    /// What `mirror` would fetch.
    func fetch(isQuiet: Bool) async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.rehearse { [console] lines in console.out.write(lines) }
        } telling: { rehearsal in
            if !isQuiet { for note in rehearsal.notes { console.tell(escaped(note, columns: 1000)) } }
            let broken = rehearsal.failure.map { complain($0, pages: rehearsal.pages) }
            let failed = rehearsal.failed > 0 ? ", and \(counted(rehearsal.failed, "record")) could not" : ""
            console.tell("dry run: \(counted(rehearsal.photos, "photo")) would be fetched\(failed)")
            return broken ?? (rehearsal.failed > 0 ? .itemsFailed : .done)
        }
    }

    /// What `mirror --prune` would remove.
    func prune() async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.rehearsePruning { [console] lines in console.out.write(lines) }
        } telling: { rehearsal in
            if let failure = rehearsal.failure {
                return complain(failure, pages: rehearsal.pages, so: "; nothing would go")
            }
            console.tell("dry run: \(rehearsal.gone) of \(counted(rehearsal.all, "photo")) would go")
            guard let refusal = rehearsal.refusal else { return .done }
            console.complain(refusal)
            return .limit
        }
    }

    /// What `adopt` would take up.
    func adopt(isJSON: Bool) async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.rehearseAdopting()
        } telling: { rehearsal in
            for file in rehearsal.files {
                let isRead =
                    isJSON
                    ? console.out.write(JSONLines.line("file-found") { $0.members(of: file) })
                    : console.out.write("\(line(of: file))\n")
                guard isRead else { break }
            }
            if let code = console.out.exitCode { return code }
            let broken = rehearsal.failure.map { complain($0, pages: rehearsal.pages) }
            console.tell("dry run: \(escaped(rehearsal.summary))")
            return broken ?? .done
        }
    }

    /// Rehearses, and tells of it unless a signal came or nobody reads any more.
    private func run<Rehearsed>(
        _ rehearse: () async throws(MirrorError) -> Rehearsed, telling tell: (Rehearsed) -> ExitCode
    ) async -> ExitCode {
        let stopped = Locked<Int32?>(nil)
        let signals = Signals(
            first: { [mirror] number in
                stopped.withLock { $0 = number }
                mirror.stop(.signal(number))
            }, beforeEnd: {})
        defer { signals.end() }
        do throws(MirrorError) {
            let rehearsal = try await rehearse()
            if let code = console.out.exitCode { return code }
            if let number = stopped.withLock({ $0 }) { return .signal(number) }
            return tell(rehearsal)
        } catch {
            return console.fail(error)
        }
    }

    /// Says which page the walk ended at, and what that means.
    private func complain(_ failure: Failure, pages: Int, so consequence: String = "") -> ExitCode {
        console.complain("page \(pages + 1) of the feed: \(failure)\(consequence)")
        return pages == 0 ? .feed : .itemsFailed
    }
}
