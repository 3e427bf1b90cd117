// SPDX-License-Identifier: MIT

extension String {
    /// Returns the digits with zeros in front, if there are fewer than `count`.
    package func zeroPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - utf8.count)) + self
    }
}
