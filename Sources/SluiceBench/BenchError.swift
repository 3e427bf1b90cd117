// SPDX-License-Identifier: MIT

package import SluiceModel

/// An error that ends a benchmark; the message names the input.
package struct BenchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, which determines the command's exit code.
    package enum Code: Sendable, Hashable {
        /// The arguments or an input file are invalid.
        case usage
        /// The local system failed: a file, a folder or a process.
        case local
        /// A helper process ended without a valid result.
        case broken
    }

    package var code: Code
    /// The message, in one line.
    package var description: String
    /// How the user may avoid the error.
    package var hint: Hint?

    init(_ code: Code, _ description: String, hint: Hint? = nil) {
        (self.code, self.description, self.hint) = (code, description, hint)
    }
}

package enum BenchProgress: Sendable {
    /// The next sample starts: its number from 1, or 0 for the warm-up, out of the total number, and its setting.
    case started(number: Int, count: Int, label: String)
    /// A setting has its first sample: a table with one row, whose heads are as wide as the cells of all rows.
    case firstResult(ResultTable)
}
