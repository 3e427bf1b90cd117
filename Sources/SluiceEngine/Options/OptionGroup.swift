// SPDX-License-Identifier: MIT

package import SluiceModel

/// A group of options whose lists are derived from one table.
package protocol OptionGroup: Sendable {
    init()
    /// The definitions of the options, and of those of its parts.
    static var fields: [OptionField<Self>] { get }
}

extension OptionGroup {
    /// Returns what the option with this name affects; `nil` if there is none.
    package static func effects(of name: String) -> OptionEffects? { fields.first { $0.name == name }?.effects }

    /// Returns the names of the options with one of these effects that differ from their defaults.
    package func changedNames(
        affecting effects: OptionEffects, in fields: [OptionField<Self>] = Self.fields
    ) -> [String] {
        let defaults = Self()
        return fields.filter { !$0.effects.isDisjoint(with: effects) && $0.differs(self, defaults) }
            .compactMap(\.name)
    }

    /// Sets the options with one of these effects to their defaults.
    package mutating func reset(_ effects: OptionEffects, in fields: [OptionField<Self>] = Self.fields) {
        let defaults = Self()
        for field in fields where !field.effects.isDisjoint(with: effects) { field.copy(&self, defaults) }
    }

    /// Returns the texts of the options with this effect for a fingerprint.
    package func ledgerTexts(
        affecting effect: OptionEffects, separator: String = "=", in fields: [OptionField<Self>] = Self.fields
    ) -> [String] {
        fields.filter { $0.effects.contains(effect) }.compactMap { $0.ledgerText(self, separator) }
    }

    /// Returns the options for a report: those that the user set, with the values that they have now.
    ///
    /// `given` are the user's options as written; without them, the options are listed that differ from their defaults.
    /// `actual` has the values that the machine allows; those options are always listed.
    package func settings(
        given: [RunReport.Setting]?, actual: [RunReport.Setting], in fields: [OptionField<Self>] = Self.fields
    ) -> [RunReport.Setting] {
        let shown = fields.filter { $0.name != nil && !$0.effects.contains(.confidential) }
        let defaults = Self()
        let wanted =
            given
            ?? shown.filter { $0.differs(self, defaults) }.map { RunReport.Setting($0.name ?? "", "changed") }
        var settings = actual
        for setting in wanted where !settings.contains(where: { $0.name == setting.name }) {
            guard let field = shown.first(where: { $0.name == setting.name }) else { continue }
            settings.append(RunReport.Setting(setting.name, field.text(self) ?? setting.value))
        }
        return settings
    }
}

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
