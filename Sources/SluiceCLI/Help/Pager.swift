// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Console {
    /// The first pager that is installed, for a user who has chosen none.
    private static let standardPager =
        "command -v less >/dev/null && exec less -FRX; command -v more >/dev/null && exec more; exec cat"

    /// Prints the help of a command, or the overview; long help goes through a pager on a terminal.
    func printHelp(of command: Command?, _ length: HelpLength) {
        let text = helpText(of: command, length, width: helpWidth(on: out))
        guard length == .long, out.isTerminal, environment.canRedraw, page(text) else {
            out.write(text)
            return
        }
    }

    /// Shows the text in the user's pager; returns false if it cannot be started.
    private func page(_ text: String) -> Bool {
        guard let pipe = unsafe popen(environment.pager ?? Self.standardPager, "w") else { return false }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, pipe)
        // 127: the shell did not find the program.
        return unsafe pclose(pipe) != 127 << 8
    }
}
