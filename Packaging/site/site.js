// SPDX-License-Identifier: MIT
// The field that searches the pages without a server, and the versions of the site. Pages opened from file:// can load
// only scripts, so the index is a script, which is loaded when the search is used.
"use strict";

const script = document.currentScript;
const root = script.src.slice(0, script.src.lastIndexOf("/") + 1);
const page = script.dataset.page;
const form = document.querySelector("form");
const field = form.querySelector("input");
const list = form.querySelector("ul");
let selected = -1;

function load(address, then) {
  const element = document.createElement("script");
  element.src = address;
  element.onload = then;
  document.head.append(element);
}

// Returns the text around the first word, with all words marked.
function excerpt({ section, words }) {
  const places = words.map((word) => section.lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length ? Math.min(...places) : 0;
  const start = first > 60 ? section.text.indexOf(" ", first - 50) + 1 : 0;
  const text = (start ? "…" : "") + section.text.slice(start, start + 160);
  const element = document.createElement("small");
  const pattern = new RegExp("(" + words.map((word) => word.replace(/[^a-z0-9]/g, "\\$&")).join("|") + ")", "i");
  text.split(pattern).forEach((part, index) => {
    const node = document.createElement(index % 2 ? "mark" : "span");
    node.textContent = part;
    element.append(node);
  });
  return element;
}

function select(index) {
  const items = [...list.children];
  selected = items.length ? (index + items.length) % items.length : -1;
  items.forEach((item, place) => item.setAttribute("aria-selected", place === selected));
  if (selected < 0) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", items[selected].id);
  items[selected].scrollIntoView({ block: "nearest" });
}

function show() {
  const results = search(window.siteIndex ?? [], field.value);
  const isOpen = field.value.trim() !== "" && window.siteIndex !== undefined;
  list.replaceChildren(...results.map((result, index) => {
    const item = document.createElement("li");
    item.id = "result" + index;
    item.setAttribute("role", "option");
    const link = document.createElement("a");
    link.href = root + result.section.address;
    link.tabIndex = -1;
    link.append(result.section.path, excerpt(result));
    item.append(link);
    return item;
  }));
  if (isOpen && !results.length) {
    const item = document.createElement("li");
    item.textContent = "No page contains all of these words.";
    list.append(item);
  }
  list.hidden = !isOpen;
  field.setAttribute("aria-expanded", isOpen);
  select(results.length ? 0 : -1);
}

function close() {
  list.hidden = true;
  field.setAttribute("aria-expanded", false);
}

form.hidden = false;
field.addEventListener("focus", () => {
  if (window.siteIndex) return;
  load(root + "search-index.js", () => {
    window.siteIndex.forEach(prepare);
    show();
  });
}, { once: true });
field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    select(selected + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Escape") {
    field.value = "";
    close();
  } else {
    return;
  }
  event.preventDefault();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.children[selected]?.querySelector("a")?.click();
});
form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) close(); });
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  field.focus();
});

const colours = document.querySelector(".theme");
colours.value = theme();
colours.hidden = false;
colours.addEventListener("change", () => theme(colours.value));

// Comments, quoted text and keywords of code; in commands the options are the keywords.
const keywords = {
  python: /\b(?:as|def|except|for|from|if|import|in|None|print|return|try|with)\b/,
  swift: /\b(?:await|case|catch|for|func|guard|if|import|in|init|let|return|self|struct|switch|try|var|while)\b/,
  json: /\b(?:true|false|null)\b/,
  shell: /(?<=[\s[])--?[a-z][\w-]*/,
};
for (const code of document.querySelectorAll("pre code")) {
  const language = code.className.replace("language-", "") || "shell";
  const comment = language === "swift" ? /\/\/.*/ : /(?<=^|\s)#.*/;
  const string = language === "shell" ? /(?<=[\s=])'[^'\n]*'|"[^"\n]*"/ : /"(?:\\.|[^"\\\n])*"/;
  const pattern = new RegExp(
    `(?<comment>${comment.source})|(?<string>${string.source})|(?<word>${(keywords[language] ?? keywords.shell).source})`, "gm");
  const text = code.textContent;
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const part = document.createElement("span");
    part.className = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    part.textContent = match[0];
    parts.push(text.slice(end, match.index), part);
    end = match.index + match[0].length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

// Browsers offer the clipboard to pages from a disk or by HTTPS only.
for (const block of navigator.clipboard ? document.querySelectorAll("pre") : []) {
  const box = document.createElement("div");
  box.className = "block";
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    button.textContent = "Copied";
  });
  block.replaceWith(box);
  box.append(block, button);
}

// The versions of the site lie in sibling folders, and versions.js above them names the pages of each.
function offerVersions() {
  const label = document.querySelector(".version");
  const menu = document.createElement("select");
  menu.setAttribute("aria-label", "Version");
  for (const version of Object.keys(window.siteVersions)) {
    menu.add(new Option(version, version, false, version === label.textContent));
  }
  menu.addEventListener("change", () => {
    const target = window.siteVersions[menu.value].includes(page) ? page : "index.html";
    location.href = root + "../" + menu.value + "/" + target;
  });
  label.replaceChildren(menu);
}
if (document.documentElement.dataset.versions !== undefined) load(root + "../versions.js", offerVersions);
