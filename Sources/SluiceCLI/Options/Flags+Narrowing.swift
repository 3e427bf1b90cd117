// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Which of the feed's photos are wanted, and what a list's columns mean.
    static let narrowing: [Flag] = [
        Flag(
            long: "range", value: Placeholder("RANGES"), category: .selection, commands: [.mirror],
            help: "Take the photos in these places, such as 1-100,200-",
            longHelp: """
                Takes the photos in these places of the feed's order, counted from 1: 7, 1-100, 200-, with commas \
                between them. The walk ends behind the last place.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.selection.positions = try argument.positions()
            }),
        Flag(
            long: "filter", value: Placeholder("CONDITION"), category: .selection, commands: [.mirror],
            help: "Take what a condition holds for: 'width>=1000'",
            longHelp: """
                Takes the photos for which a condition holds, such as 'width>=1000 && license~"CC"'. Fields have their \
                names in the manifest (id, url, width, height, date, caption, author, license, collection, ...); ==, !=, \
                <, <=, >, >= compare, ~ and !~ look for a text whatever its case, a field alone asks whether it is \
                stated; &&, ||, ! and brackets join conditions.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.selection.filter = try argument.filter() }),
        Flag(
            long: "collection", value: Placeholder("NAME"), category: .selection, commands: [.mirror],
            isRepeatable: true,
            help: "Take this collection's photos; may be repeated",
            longHelp: """
                Takes the photos that stand in a collection of that name, whatever the case of its letters; given several \
                times, those of each.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.selection.collections.append(try argument.line("a collection's name"))
            }),
        Flag(
            long: "since", value: Placeholder("DATE"), category: .selection, commands: [.mirror],
            help: "Take photos published since, such as 2026-01-31",
            longHelp: """
                Takes the photos that were published at that time or later: 2026-01-31, 2026-01-31T09:30Z. Those of which \
                the feed tells no date are left out, and a note says so.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.selection.since = try argument.date() }),
        Flag(
            long: "url-column", value: Placeholder("NAME"), category: .selection, commands: [.mirror],
            help: "The column of a list that holds the addresses",
            longHelp: """
                Names the column of a table, or the member of JSON objects, that holds the photos' addresses. Without it \
                one is found by its name: url, image_url, src, link, ...
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.list.urlColumn = try argument.line("a column's name")
            }),
        Flag(
            long: "id-column", value: Placeholder("NAME"), category: .selection, commands: [.mirror],
            help: "The column of a list that holds the ids",
            longHelp: """
                Names the column of a table, or the member of JSON objects, that tells photos apart. Without it one called \
                id or key is taken, else the address.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.list.idColumn = try argument.line("a column's name")
            }),
        Flag(
            long: "dry-run", category: .selection, commands: [.mirror, .adopt], isLasting: false,
            help: "Print what would be fetched, and touch nothing",
            longHelp: """
                Reads the feed and prints a line in the manifest's form for each photo that would be fetched. No photo is \
                asked for, no folder made and no ledger read, so that what an earlier run did is printed, too. `adopt` prints \
                what each file of its folder is found to be.
                """,
            apply: { (options, argument) throws(Refusal) in options.isDryRun = argument.isOn }),
    ]
}
