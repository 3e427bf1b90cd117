// SPDX-License-Identifier: MIT

import Testing

/// The whole command as a process, against the demo service inside it.
///
/// One test at a time: each mirrors ninety photos, and they would only take each other's cores.
@Suite("Command", .serialized, .timeLimit(.minutes(10))) enum CommandTests {}
