"use strict";
// The answer browser: filters over rows that the page carries. Everything is shown as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("answers-data").textContent);
  const root = document.getElementById("answers");
  const names = data.names;
  const NAMED = ["item", "culture", "concept", "condition", "task", "model", "strategy", "run"];
  const [VERDICT, PUBLISHED, SAID, FOUND, EXPECTED] = [8, 9, 10, 11, 12];
  const PAGE = 20;
  const CUES = { cue1: 1, cue2: 2, implicit: 2 };
  const words = (name) => name.replaceAll("_", " ").replace(/^cue(\d)$/, "cue $1");
  const label = (column, name) => (column === "culture" ? data.cultures[name] || name : words(name));
  const state = { from: 0 };
  const form = root.querySelector("form");
  const list = root.querySelector("ol");
  const status = root.querySelector("[role=status]");
  const make = (tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const choose = (title, key, options) => {
    const holder = make("label", title);
    const select = make("select");
    select.name = key;
    select.append(new Option("all", ""));
    for (const [value, text] of options) select.append(new Option(text, value));
    holder.append(select);
    form.append(holder);
  };
  const TITLES = { culture: "Culture", concept: "Concept", condition: "Level", task: "Task", model: "Model", strategy: "Strategy", run: "Run" };
  for (const key of Object.keys(TITLES)) {
    if (names[key].length > 1) choose(TITLES[key], key, names[key].map((name, i) => [String(i), label(key, name)]));
  }
  choose("Verdict", "verdict", [["1", "right"], ["0", "wrong"], ["2", "no right answer"], ["differ", "rulebooks differ"]]);
  const search = make("label", "Search in answers");
  const box = make("input");
  box.type = "search";
  box.name = "text";
  search.append(box);
  form.append(search);

  const wanted = () => {
    const filters = Object.fromEntries(new FormData(form));
    const text = (filters.text || "").trim().toLowerCase();
    const places = Object.keys(TITLES).filter((key) => filters[key]).map((key) => [NAMED.indexOf(key), Number(filters[key])]);
    return data.rows.filter((row) => {
      for (const [column, place] of places) if (row[column] !== place) return false;
      if (filters.verdict === "differ") { if (row[VERDICT] === 2 || row[VERDICT] === row[PUBLISHED]) return false; }
      else if (filters.verdict && row[VERDICT] !== Number(filters.verdict)) return false;
      return !text || data.said[row[SAID]].toLowerCase().includes(text);
    });
  };
  const card = (row) => {
    const entry = make("li", undefined, "answer");
    const tags = make("p");
    for (const key of data.tags) {
      const column = NAMED.indexOf(key);
      tags.append(make("span", label(key, names[key][row[column]]), "tag"));
    }
    for (const key of ["model", "strategy", "run"]) {
      if (names[key].length > 1) tags.append(make("span", names[key][row[NAMED.indexOf(key)]], "tag"));
    }
    tags.append(make("span", ["wrong", "right", "no right answer"][row[VERDICT]], "tag verdict-" + row[VERDICT]));
    const said = make("div", data.said[row[SAID]] || "(nothing)", "said");
    said.dir = "auto";
    said.tabIndex = 0;
    const found = "Found: " + (data.found[row[FOUND]] || "nothing") + (row[VERDICT] === 2 ? "." : ". Expected: " + data.expected[row[EXPECTED]] + ".");
    const told = CUES[names.condition[row[NAMED.indexOf("condition")]]] || 0;
    const cues = (data.cues[row[0] + "/" + row[1]] || []).slice(0, told);
    const more = make("p", found, "quiet");
    entry.append(tags, said, more, make("p", data.about + ": " + data.scenes[row[0]] + (cues.length ? " Cues: " + cues.join("; ") + "." : ""), "quiet"));
    return entry;
  };
  const [back, next] = root.querySelectorAll("button");
  const show = () => {
    const rows = wanted();
    if (state.from >= rows.length) state.from = 0;
    list.replaceChildren(...rows.slice(state.from, state.from + PAGE).map(card));
    list.start = state.from + 1;
    const last = Math.min(rows.length, state.from + PAGE);
    status.textContent = rows.length ? `${state.from + 1}–${last} of ${rows.length.toLocaleString("en")} answers` : "No answer fits these filters.";
    back.disabled = state.from === 0;
    next.disabled = last >= rows.length;
  };
  const turn = (step) => { state.from += step; show(); list.focus(); };
  back.addEventListener("click", () => turn(-PAGE));
  next.addEventListener("click", () => turn(PAGE));
  form.addEventListener("input", () => { state.from = 0; show(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  const open = () => {
    const cell = /^#cell-(.+)-([a-z_]+)$/.exec(decodeURIComponent(location.hash));
    if (!cell) return;
    form.reset();
    const set = (key, name) => {
      const select = form.elements[key];
      if (select && names[key].includes(name)) select.value = String(names[key].indexOf(name));
    };
    set("culture", cell[1]);
    set("concept", cell[2]);
    set("task", "question");
    state.from = 0;
    show();
    root.scrollIntoView();
    list.focus();
  };
  addEventListener("hashchange", open);
  root.hidden = false;
  show();
  open();
})();
