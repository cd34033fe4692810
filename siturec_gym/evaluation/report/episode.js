"use strict";
const steps = [...document.querySelectorAll("button.step")];
const last = steps.length - 1;
const anchor = (turn) => (turn === last ? "turn-end" : `turn-${turn}`);
let now = 0;

function show(turn, remember = true) {
  now = Math.max(0, Math.min(last, turn));
  for (const part of document.querySelectorAll("[data-turn]")) {
    part.classList.toggle("now", Number(part.dataset.turn) === now);
  }
  for (const step of steps) {
    const current = Number(step.dataset.step) === now;
    current ? step.setAttribute("aria-current", "step") : step.removeAttribute("aria-current");
    const row = step.parentElement;
    if (current && row.scrollWidth > row.clientWidth) row.scrollLeft = step.offsetLeft - row.clientWidth / 2;
  }
  if (remember) history.replaceState(null, "", `#${anchor(now)}`);
}

function fromAddress() {
  const found = /^#turn-(\d+|end)$/.exec(location.hash);
  return found ? (found[1] === "end" ? last : Number(found[1])) : 0;
}

function look(wanted) {
  for (const button of document.querySelectorAll("[data-look]")) {
    document.body.classList.toggle(`look-${button.dataset.look}`, button.dataset.look === wanted);
    button.setAttribute("aria-pressed", String(button.dataset.look === wanted));
  }
}

function goal() {
  const panel = document.getElementById("private");
  if (!panel) return;
  panel.open = !panel.open;
  if (panel.open) panel.scrollIntoView({ block: "nearest" });
}

const keys = {
  ArrowRight: () => show(now + 1),
  ArrowLeft: () => show(now - 1),
  Home: () => show(0),
  End: () => show(last),
  m: () => document.body.classList.toggle("no-marks"),
  v: () => look("view"),
  a: () => look("assistant"),
  u: () => look("user"),
  p: goal,
  "?": () => document.getElementById("keys").showModal(),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const act = keys[event.key];
  if (act) { event.preventDefault(); act(); }
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button && button.dataset.step !== undefined) show(Number(button.dataset.step));
  if (button && button.dataset.look !== undefined) look(button.dataset.look);
  if (button && button.dataset.go !== undefined) show(now + Number(button.dataset.go));
});
addEventListener("hashchange", () => show(fromAddress(), false));
document.body.classList.add("stepping");
look("view");
show(fromAddress(), false);
