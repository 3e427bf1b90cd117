// SPDX-License-Identifier: MIT

// FUZZ_TARGET selects the target, because all arguments belong to libFuzzer. There are two
// exceptions: `seeds DIR` only writes small seed images into a folder, and `targets` only lists the targets.

internal import CFuzzer
internal import Foundation

if CommandLine.arguments.dropFirst().first == "targets" {
    for target in FuzzTarget.all { print(target.name) }
} else if CommandLine.arguments.dropFirst().first == "seeds" {
    try SeedFiles.write(for: .chosen, into: CommandLine.arguments[2])
} else {
    var count = CommandLine.argc
    var words = CommandLine.unsafeArgv
    exit(
        withUnsafeMutablePointer(to: &words) { words in
            words.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>.self, capacity: 1) { words in
                LLVMFuzzerRunDriver(&count, words) { data, size in
                    FuzzTarget.chosen.test(Array(UnsafeBufferPointer(start: data, count: size)))
                }
            }
        })
}
