// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Prints the options in effect and their sources, for `--print-config`.
struct SettingsPrinter {
    let options: RawOptions
    let console: Console

    func print() {
        let settings = options.effectiveSettings.filter { $0.flag.long != "print-config" }
        guard !options.output.isJSON else {
            for setting in settings { console.out.write(Self.line(setting)) }
            return
        }
        let names = settings.map(\.flag.long.count).max() ?? 0
        let values = min(settings.map { columnCount($0.displayedValue) }.max() ?? 0, 40)
        for setting in settings {
            let name = padded(setting.flag.long, to: names)
            console.print(
                "\(name)  \(padded(setting.displayedValue, to: values))  \(escaped(setting.source.description))")
        }
        if !options.output.isQuiet { console.printMessage("all other options have their defaults; see --help") }
    }

    private static func line(_ setting: Setting) -> [UInt8] {
        JSONEventWriter.line("option") { object in
            object.member("option", setting.flag.long)
            if setting.flag.value == nil {
                object.member("value", setting.argument.isOn)
            } else {
                object.member("value", setting.displayedValue)
            }
            object.member("origin", setting.source.kind)
            object.member("place", setting.source.detail)
        }
    }
}

extension SettingSource {
    /// The kind of source, as printed in JSON.
    fileprivate var kind: String {
        switch self {
        case .file: "file"
        case .lastCommand: "last-command"
        case .plan: "plan"
        case .variable: "variable"
        case .argument: "argument"
        }
    }

    fileprivate var detail: String? {
        switch self {
        case .file(let path, _): path
        case .variable(let name): name
        case .lastCommand, .plan, .argument: nil
        }
    }
}
