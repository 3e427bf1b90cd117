// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceFiles
internal import SluiceSystem

/// The arguments of this process.
package enum ProcessArguments {
    /// The arguments after the program's name, or the first one that is not valid UTF-8.
    ///
    /// `CommandLine.arguments` would replace invalid bytes and could name another file, and is empty without `/proc`.
    package static var all: Result<[String], InvalidArgument> {
        var values: UnsafePointer<UnsafeMutablePointer<CChar>?>?
        let count = Int(unsafe csandbox_arguments(&values))
        guard let values = unsafe values else { return .success([]) }
        var arguments: [String] = []
        for index in 1..<max(1, count) {
            guard let pointer = unsafe values[index] else { break }
            guard let text = unsafe String(validatingCString: pointer) else {
                let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
                return .failure(InvalidArgument(text: PathText.escaped(unsafe bytes.map { UInt8(bitPattern: $0) })))
            }
            arguments.append(text)
        }
        return .success(arguments)
    }
}

/// An argument that is not valid UTF-8.
package struct InvalidArgument: Error, Hashable {
    /// The argument with `%E9` for a byte that is not valid.
    package let text: String

    /// Holds the escaped form of an argument.
    package init(text: String) { self.text = text }
}
