// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceFiles
package import SluiceModel
internal import SluiceSystem

package enum ProcessArguments {
    /// The arguments after the program's name, or the first one that is not valid UTF-8.
    ///
    /// `CommandLine.arguments` would replace invalid bytes and could name another file, and is empty without `/proc`.
    package static var all: Result<[String], InvalidText> {
        var values: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        let count = Int(unsafe csandbox_arguments(&values))
        guard let values = unsafe values else { return .success([]) }
        var arguments: [String] = []
        for index in 1..<max(1, count) {
            guard let pointer = unsafe values[index] else { break }
            guard let text = unsafe String(validatingCString: pointer) else {
                let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
                let shown = PathText.escaped(unsafe bytes.map { UInt8(bitPattern: $0) })
                return .failure(InvalidText("cannot read the argument '\(shown)': it is not valid UTF-8"))
            }
            arguments.append(text)
        }
        return .success(arguments)
    }
}
