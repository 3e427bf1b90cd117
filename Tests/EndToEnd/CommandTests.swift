// SPDX-License-Identifier: MIT

import Testing

/// Runs the whole command as a process, against its built-in demo service.
///
/// One test at a time: each mirrors ninety photos, and parallel tests would only compete for the cores.
@Suite("Command", .serialized, .timeLimit(.minutes(10))) enum CommandTests {}
