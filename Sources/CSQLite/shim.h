// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>

#include "checksums.h"

// Exists because SQLITE_TRANSIENT ("copy the bytes now") is a cast of -1 to a function pointer, which Swift cannot
// import.
static inline int csqlite_bind_text(sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// Exists because sqlite3_config is variadic. Without statistics of its memory, SQLite takes no lock for allocations.
static inline int csqlite_disable_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Exists because sqlite3_db_config is variadic. A ledger may come from an untrusted source together with its mirror, so
// its schema must neither call functions nor corrupt the file.
static inline int csqlite_harden(sqlite3 *_Nonnull database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    // The largest reply of a feed has 64 MB, so no value of a ledger is longer. A statement has a few kilobytes.
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 64 << 20);
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 64 << 10);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 200);
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 4);
    // VACUUM INTO attaches the copy.
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 1);
    return code;
}
