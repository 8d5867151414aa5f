// Asks for the audit's verdicts while somebody writes, and warns before what is not saved is lost.
"use strict";
(() => {
  const form = document.getElementById("write");
  const told = document.getElementById("told");
  const verdicts = document.getElementById("verdicts");
  if (!form || !told || !verdicts) return;
  const PAUSE = 400; // milliseconds without a key after which the server is asked
  let timer, asking, sending = false;
  const state = () => new URLSearchParams(new FormData(form)).toString();
  const saved = form.dataset.unsaved === undefined ? state() : "";

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const summary = page.querySelector("[data-told]");
    if (!summary) return;
    summary.remove();
    // A live region that is written to again is read out again.
    if (told.textContent !== summary.textContent) told.textContent = summary.textContent;
    verdicts.replaceChildren(...page.body.childNodes);
    for (const tag of document.querySelectorAll("[data-of]")) {
      const found = verdicts.querySelector(`[data-rule="${tag.dataset.of}"] .tag`);
      tag.hidden = !found;
      tag.textContent = found ? found.textContent : "";
      tag.className = found ? found.className : "tag";
    }
  };

  const ask = async () => {
    if (asking) asking.abort();
    const mine = (asking = new AbortController());
    try {
      const response = await fetch(form.dataset.audit, {
        method: "POST", body: new URLSearchParams(new FormData(form)), signal: mine.signal,
      });
      if (response.ok && !response.redirected) show(await response.text());
    } catch {
      // The network failed, or a newer question was asked: what stands there stays, and the next key asks again.
    }
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  form.addEventListener("submit", () => { sending = true; });
  window.addEventListener("beforeunload", (event) => {
    if (!sending && state() !== saved) event.preventDefault();
  });
  window.addEventListener("pageshow", () => { sending = false; });
  const check = document.getElementById("check");
  if (check) check.hidden = true;
})();
