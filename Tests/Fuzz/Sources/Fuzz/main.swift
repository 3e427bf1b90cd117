// SPDX-License-Identifier: MIT

// The environment names the target, so that every argument is libFuzzer's own; but with `seeds DIR` small pictures to
// begin with are written into a folder, and that is all.

internal import CFuzzer
internal import Foundation

if CommandLine.arguments.dropFirst().first == "seeds" {
    try Seeds.write(for: .chosen, into: CommandLine.arguments[2])
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
