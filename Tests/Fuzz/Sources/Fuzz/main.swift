// SPDX-License-Identifier: MIT

// FUZZ_TARGET selects the target, because all arguments belong to libFuzzer. There are two exceptions: `seeds DIR` only
// writes small seed images into a folder, and `targets` only lists the targets, or those of the kind `images` or
// `texts`.

internal import CFuzzer
internal import Foundation

if CommandLine.arguments.dropFirst().first == "targets" {
    let kind = CommandLine.arguments.dropFirst(2).first
    if kind != "texts" { for target in FuzzTarget.images { print(target.name) } }
    if kind != "images" { for target in FuzzTarget.texts { print(target.name) } }
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
