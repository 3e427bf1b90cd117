// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A value that an option can have.
package protocol OptionValue: Sendable, Equatable {
    /// The value in a report.
    var optionText: String { get }
    /// The value in a fingerprint of the ledger, which must never change.
    var ledgerText: String { get }
}

extension OptionValue {
    package var ledgerText: String { optionText }
}

extension OptionValue where Self: RawRepresentable<String> {
    package var optionText: String { rawValue }
}

extension OptionValue where Self: CustomStringConvertible {
    package var optionText: String { description }
}

extension Int: OptionValue {}
extension Double: OptionValue {}
extension String: OptionValue { package var optionText: String { self } }

extension Bool: OptionValue {
    package var optionText: String { self ? "yes" : "no" }
    package var ledgerText: String { description }
}

extension Duration: OptionValue { package var optionText: String { "\(inSeconds)s" } }

extension Optional: OptionValue where Wrapped: OptionValue {
    package var optionText: String { self?.optionText ?? "none" }
    package var ledgerText: String { self?.ledgerText ?? "" }
}

extension Array: OptionValue where Element: OptionValue {
    package var optionText: String { isEmpty ? "none" : map(\.optionText).joined(separator: ",") }
}

extension Set: OptionValue where Element: OptionValue {
    /// The order of a set differs between processes.
    package var optionText: String { isEmpty ? "none" : map(\.optionText).sorted().joined(separator: ",") }
}
