// SPDX-License-Identifier: MIT

extension Flag {
    /// What every command takes, and what may stand before it.
    static let general: [Flag] = [
        Flag(
            long: "color", value: .choice(of: ColorChoice.self), category: .general, commands: CommandName.allCases,
            isLasting: false,
            help: "When words are coloured (default auto)",
            longHelp: """
                auto colors words on a terminal, unless the environment has NO_COLOR; always and never do what they \
                say.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.color = try argument.choice(of: ColorChoice.self)
            }),
        Flag(
            long: "help", short: "h", category: .general, commands: CommandName.allCases, isLasting: false,
            reach: .argumentsAlone,
            help: "Help: short with -h, whole with --help",
            longHelp: "-h prints a line for each option, --help all that there is to say of it.",
            apply: { (options, argument) throws(Refusal) in
                options.request = .help(argument.spelling == "-h" ? .short : .long)
            }),
        Flag(
            long: "version", short: "V", category: .general, commands: CommandName.allCases, isLasting: false,
            reach: .argumentsAlone,
            help: "The versions of Sluice and of its libraries",
            longHelp: "Prints Sluice's version, and that of each C library that it calls.",
            apply: { (options, argument) throws(Refusal) in options.request = options.request ?? .version }),
    ]
}
