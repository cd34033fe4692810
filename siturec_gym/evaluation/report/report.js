"use strict";
// A link to a turn opens what it is folded into.
function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  const inner = target.querySelector(":scope > details");
  if (inner && target.classList.contains("episode")) inner.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) reveal();
});

const results = document.getElementById("results");
if (results && results.querySelector("tbody.published")) {
  const label = document.createElement("label");
  label.className = "toggle";
  label.innerHTML = '<input type="checkbox" checked> show published rows';
  label.firstChild.addEventListener("change", (event) => {
    document.body.classList.toggle("ours-only", !event.target.checked);
  });
  results.querySelector("h2").after(label);
}
reveal();
