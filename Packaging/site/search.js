// SPDX-License-Identifier: MIT
// Searches the sections of search-index.js. Packaging/site/check.mjs tests it.
"use strict";

// Adds to a section what the search needs.
function prepare(section) {
  section.isPage = section.heading === "";
  section.path = section.isPage ? section.title : section.title + " › " + section.heading;
  section.heading = (section.heading || section.title).toLowerCase();
  section.title = section.title.toLowerCase();
  section.lower = section.text.toLowerCase();
}

// Returns how well a section matches a word: its page's title counts most, then its heading, then its text.
function score(section, word) {
  const start = new RegExp("(^|[^a-z0-9])" + word.replace(/[^a-z0-9]/g, "\\$&"));
  if (start.test(section.heading)) return section.isPage ? 12 : 8;
  if (start.test(section.title)) return 4;
  const count = section.lower.split(word).length - 1;
  return count && (start.test(section.lower) ? 1 : 0.5) + Math.min(count, 5) / 5;
}

// Returns the twelve best sections that contain all words.
function search(sections, text) {
  const phrase = text.trim().toLowerCase();
  const words = phrase.split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const found = [];
  for (const section of sections) {
    const scores = words.map((word) => score(section, word));
    if (!scores.every(Boolean)) continue;
    const sum = scores.reduce((sum, value) => sum + value) + (section.lower.includes(phrase) ? words.length : 0);
    // The guide comes before pages about changes, measurements and contributions.
    found.push([section.address.startsWith("guide/") ? sum : sum / 4, section]);
  }
  return found.sort((a, b) => b[0] - a[0]).slice(0, 12).map(([, section]) => ({ section, words }));
}
