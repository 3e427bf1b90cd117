// SPDX-License-Identifier: MIT

internal import CSandbox

/// The arguments of this process.
package enum ProcessArguments {
    /// The arguments after the program's name; `nil` if one is not valid UTF-8.
    ///
    /// `CommandLine.arguments` would replace invalid bytes and could name another file, and is empty without `/proc`.
    package static var all: [String]? {
        var values: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        let count = Int(unsafe csandbox_arguments(&values))
        guard let values = unsafe values else { return [] }
        var arguments: [String] = []
        for index in 1..<max(1, count) {
            guard let pointer = unsafe values[index] else { break }
            guard let text = unsafe String(validatingCString: pointer) else { return nil }
            arguments.append(text)
        }
        return arguments
    }
}
