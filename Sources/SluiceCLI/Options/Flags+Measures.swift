// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What is written of how a run goes.
    static let measures: [Flag] = [
        Flag(
            long: "trace", value: Placeholder("FILE", .file), category: .output, commands: pictures, isLasting: false,
            help: "Write the run's course for Perfetto or Chrome",
            longHelp: """
                Writes each photo's way, with all its phases, to FILE in Chrome's trace event format, to be opened in \
                ui.perfetto.dev or chrome://tracing. The file is whole JSON at every moment, also after Ctrl-C.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.trace = try argument.line("a file's name") }),
        Flag(
            long: "metrics", value: Placeholder("FILE", .file), category: .output, commands: pictures,
            isLasting: false,
            help: "Write the run's numbers for Prometheus, every 5 s",
            longHelp: """
                Writes the run's numbers to FILE in Prometheus' text format, every five seconds and at the end: whole each \
                time, as node_exporter's textfile collector wants it.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.metrics = try argument.line("a file's name")
            }),
    ]
}
