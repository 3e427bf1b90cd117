// SPDX-License-Identifier: MIT
// Checks what the search of a site finds: node Packaging/site/check.mjs FOLDER
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const site = process.argv[2];
const read = (name) => readFileSync(site + "/" + name, "utf8");
const expected = {
  "thumbnails folder": "guide/tasks/thumbnails.html",
  "--depth": "guide/options.html#--depth",
  duplicates: "guide/commands/duplicates.html",
  "slurm driver": "guide/cluster.html#drivers",
  "exportiert nichts": undefined,
  "": undefined,
};
const queries = Object.keys(expected);
const code = `const window = {};${read("search-index.js")}${read("search.js")}
window.siteIndex.forEach(prepare); queries.map((text) => search(window.siteIndex, text)[0]?.section.address);`;
const found = runInNewContext(code, { queries });
queries.forEach((text, index) => {
  if (found[index] === expected[text]) return;
  console.error(`the search for '${text}' finds ${found[index]}, expected ${expected[text]}`);
  process.exitCode = 1;
});
