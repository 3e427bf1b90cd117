// SPDX-License-Identifier: MIT
//
// A library that is loaded before the C library (LD_PRELOAD), and stands between a program and its system calls.
//
// It exists because strace counts each thread's calls by themselves: where two threads make a call for the third time,
// only the first of them is ever met. Here all threads count together, so every call of a run has a number of its own.
//
// The environment says what it does:
//   CRASH_COUNT  a file of 8 bytes, in which the calls are counted
//   CRASH_CALLS  the calls that count, each between commas: ",write,fsync,"
//   CRASH_AT     the number of the call to meet
//   CRASH_ON     "yes" to meet every later one, too
//   CRASH_WITH   what meets it: KILL, SHORT (half is written), or an error's number
