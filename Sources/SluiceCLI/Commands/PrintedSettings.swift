// SPDX-License-Identifier: MIT

internal import Sluice

/// `--print-config`: the options in force, and where each was set.
struct PrintedSettings {
    let options: RawOptions
    let console: Console

    func print() {
        let settings = options.inForce.filter { $0.flag.long != "print-config" }
        guard !options.isJSON else {
            for setting in settings { console.out.write(Self.line(setting)) }
            return
        }
        let names = settings.map(\.flag.long.count).max() ?? 0
        let values = min(settings.map { columnCount($0.shownValue) }.max() ?? 0, 40)
        for setting in settings {
            let name = padded(setting.flag.long, to: names)
            console.print("\(name)  \(padded(setting.shownValue, to: values))  \(escaped(setting.origin.place))")
        }
        if !options.isQuiet { console.tell("all other options have their defaults: see --help") }
    }

    private static func line(_ setting: Setting) -> [UInt8] {
        JSONLines.line("option") { object in
            object.member("option", setting.flag.long)
            if setting.flag.value == nil {
                object.member("value", setting.argument.isOn)
            } else {
                object.member("value", setting.shownValue)
            }
            object.member("origin", setting.origin.word)
            object.member("place", setting.origin.detail)
        }
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columnCount(text)))
    }
}

extension Origin {
    /// Its kind, in a word.
    fileprivate var word: String {
        switch self {
        case .file: "file"
        case .lastCommand: "last-command"
        case .variable: "variable"
        case .argument: "argument"
        }
    }

    /// Which file or variable.
    fileprivate var detail: String? {
        switch self {
        case .file(let path): path
        case .variable(let name): name
        case .lastCommand, .argument: nil
        }
    }
}
