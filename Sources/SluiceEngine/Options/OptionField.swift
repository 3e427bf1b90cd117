// SPDX-License-Identifier: MIT

package struct OptionEffects: OptionSet, Sendable {
    package let rawValue: Int

    /// Which files a run makes: a later run with another value makes them again.
    package static let files = OptionEffects(rawValue: 1 << 0)
    /// Which photos are on which page: pages of an interrupted run are of use only with the same value.
    package static let paging = OptionEffects(rawValue: 1 << 1)
    /// Which photos of a page a run takes.
    package static let selection = OptionEffects(rawValue: 1 << 2)
    /// How far a run reads the feed.
    package static let extent = OptionEffects(rawValue: 1 << 3)
    /// A single run on a single machine, so that a plan cannot have the option.
    package static let singleRun = OptionEffects(rawValue: 1 << 4)
    /// Nothing that a report may show: the value is secret, or says something about the user.
    package static let confidential = OptionEffects(rawValue: 1 << 5)
    /// Not a repair, which makes exactly the missing files.
    package static let notRepair = OptionEffects(rawValue: 1 << 6)
    /// Not an adoption, which downloads nothing and keeps the photos of earlier runs.
    package static let notAdoption = OptionEffects(rawValue: 1 << 7)

    /// Both ways to cover less than the whole feed.
    package static let coverage: OptionEffects = [.selection, .extent]

    package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One option of a run: its name, its value, and what it affects.
///
/// Every list of options in a run is derived from these definitions: the fingerprints in the ledger, the coverage of
/// the feed, the options of decode workers, and those of reports. Key paths are made when a value is used: those of all
/// options took a tenth of the start of `thumbs`.
package struct OptionField<Options: OptionGroup>: Sendable {
    /// How a fingerprint in the ledger writes a value.
    ///
    /// The text for an existing option must never change.
    package enum LedgerText: Sendable {
        /// Always, under this name; only options of the first versions.
        case always(String)
        /// Under this name, if the value differs from its default; all later options.
        case ifChanged(String)
        /// Under this name, if the condition holds.
        case when(String, @Sendable (Options) -> Bool)
        /// As this text whatever the value is, because the first versions wrote it.
        case constant(String)
    }

    /// The name without dashes; `nil` for a field that no option sets.
    package let name: String?
    package let effects: OptionEffects
    /// Returns the value for reports; `nil` if it has no short text.
    let text: @Sendable (Options) -> String?
    /// Whether two groups have different values.
    let differs: @Sendable (Options, Options) -> Bool
    /// Copies the value of the second group to the first.
    let copy: @Sendable (inout Options, Options) -> Void
    /// Returns the value for a fingerprint, with this separator after its name; `nil` if it is left out.
    var ledgerText: @Sendable (Options, _ separator: String) -> String? = { _, _ in nil }
    /// Encodes or decodes the value for a decode worker; `nil` if workers do not need it.
    var code: (@Sendable (inout WorkerCoder, inout Options) throws(WorkerCoder.Malformed) -> Void)?
}

extension OptionField {
    /// Makes a key path when it is used.
    package typealias Property<Value> = @Sendable () -> any WritableKeyPath<Options, Value> & Sendable

    /// Defines a field.
    ///
    /// `text` and `ledgerValue` replace the text of the value in reports and in fingerprints.
    package init<Value: OptionValue>(
        _ name: String?, _ path: @autoclosure @escaping Property<Value>, _ effects: OptionEffects = [],
        ledger: LedgerText? = nil, text: (@Sendable (Value) -> String?)? = nil,
        ledgerValue: (@Sendable (Value) -> String)? = nil
    ) {
        self.init(of: name, path, effects, text: text ?? { $0.optionText })
        ledgerText = { options, separator in
            let value = options[keyPath: path()]
            func written(_ name: String) -> String {
                "\(name)\(separator)\(ledgerValue?(value) ?? value.ledgerText)"
            }
            return switch ledger {
            case nil: nil
            case .always(let name): written(name)
            case .ifChanged(let name): value == Options()[keyPath: path()] ? nil : written(name)
            case .when(let name, let condition): condition(options) ? written(name) : nil
            case .constant(let text): text
            }
        }
    }

    /// Defines a field with a value of any other type.
    package init<Value: Equatable & Sendable>(
        _ name: String?, _ path: @autoclosure @escaping Property<Value>, _ effects: OptionEffects = [],
        text: @escaping @Sendable (Value) -> String?
    ) {
        self.init(of: name, path, effects, text: text)
    }

    /// Defines a field that decode workers need.
    init<Value: OptionValue & WorkerCodable>(
        worker name: String?, _ path: @autoclosure @escaping Property<Value>, _ effects: OptionEffects = [],
        ledger: LedgerText? = nil, text: (@Sendable (Value) -> String?)? = nil,
        ledgerValue: (@Sendable (Value) -> String)? = nil
    ) {
        self.init(name, path(), effects, ledger: ledger, text: text, ledgerValue: ledgerValue)
        code = { (coder, options) throws(WorkerCoder.Malformed) in try options[keyPath: path()].code(with: &coder) }
    }

    private init<Value: Equatable & Sendable>(
        of name: String?, _ path: @escaping Property<Value>, _ effects: OptionEffects,
        text: @escaping @Sendable (Value) -> String?
    ) {
        self.init(
            name: name, effects: effects, text: { text($0[keyPath: path()]) },
            differs: { $0[keyPath: path()] != $1[keyPath: path()] },
            copy: { $0[keyPath: path()] = $1[keyPath: path()] })
    }

    /// Returns the same option as a part of a larger group, which has its own fingerprint and its own coding.
    func lifted<Whole>(_ path: @autoclosure @escaping OptionField<Whole>.Property<Options>) -> OptionField<Whole> {
        OptionField<Whole>(
            name: name, effects: effects, text: { [text] in text($0[keyPath: path()]) },
            differs: { [differs] in differs($0[keyPath: path()], $1[keyPath: path()]) },
            copy: { [copy] in copy(&$0[keyPath: path()], $1[keyPath: path()]) })
    }
}
