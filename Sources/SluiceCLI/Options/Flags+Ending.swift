// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What ends a run before its feed does.
    static let ending: [Flag] = [
        Flag(
            long: "max-time", value: Placeholder("TIME"), category: .limits, commands: [.mirror, .thumbs],
            help: "Stop after this time",
            longHelp: """
                Stops the run after this time, with exit code 8: what is under way may end (--drain), the next run goes on. \
                Times take ms, s, m and h; a bare number is seconds.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.limits.time = try argument.duration()
            }),
        Flag(
            long: "max-transfer", value: Placeholder("SIZE"), category: .limits, commands: [.mirror],
            help: "Stop once so many bytes have arrived",
            longHelp: """
                Stops the run, with exit code 8, once photos of so many bytes have arrived; those under way by then still \
                come, so that it may be a little more. k, M and G stand for steps of 1024.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.limits.transfer = try argument.bytes() }),
        Flag(
            long: "max-fail", value: Placeholder("N|N%"), category: .limits, commands: [.mirror],
            help: "Stop when more photos fail",
            longHelp: """
                Stops the run, with exit code 4 and the likely reason, once more than N photos failed, or more than N \
                percent of those that were tried (20 at least). Without it a run goes on whatever fails.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.limits.failures = try argument.failureLimit()
            }),
        Flag(
            long: "drain", value: Placeholder("TIME"), category: .limits, commands: [.mirror, .thumbs],
            help: "What is under way may end for so long (default \(Int(run.drain / .seconds(1)))s)",
            longHelp: """
                When Ctrl-C, SIGTERM or a limit stops the run, nothing new starts, and photos that are under way have this \
                time to end; what is not done by then is cancelled, and the next run takes it up. none waits for nothing. A \
                second Ctrl-C ends at once. The default is \(Int(run.drain / .seconds(1)))s.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.limits.drain = argument.text == "none" ? .zero : try argument.duration()
            }),
    ]

    private static let run = RunLimits()
}
