// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceSystem

// A decode worker must start before the process holds anything that a decoder must not access.
DecodeWorker.serveIfAsked()
MallocArenas.limit()
exit(await Tool.run(Console.open()).number)
