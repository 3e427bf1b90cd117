// SPDX-License-Identifier: MIT
// The colours that the reader chose, applied before the page is shown. Some browsers keep nothing for pages of a disk.
"use strict";

function theme(choice) {
  try {
    if (choice !== undefined) localStorage.setItem("theme", choice);
    document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "";
  } catch {
    document.documentElement.dataset.theme = choice ?? "";
  }
  return document.documentElement.dataset.theme;
}

theme();
