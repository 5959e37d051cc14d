// The page Read: marks the words that the address names, filters by heat, links to selected words.
// The page works without it: `?at=p12:40-95` marks words, and the form takes the threshold.

const speech = document.querySelector("[data-speech]");
const PLACE = /^#p([1-9]\d*):(\d+)-(\d+)$/;
const KEPT = "rostrum.draft";

function listTexts(paragraph) {
  // Text nodes of the speech itself: directions and times are none of it.
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT, {
    acceptNode: (node) =>
      node.parentElement.closest(".stage, .clock") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  });
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function markWords(paragraph, start, end) {
  // Offsets count code points, as the service does.
  let position = 0;
  const marks = [];
  for (const node of listTexts(paragraph)) {
    const points = [...node.data];
    const from = Math.max(start - position, 0);
    const to = Math.min(end - position, points.length);
    position += points.length;
    if (from >= to) continue;
    const range = document.createRange();
    range.setStart(node, points.slice(0, from).join("").length);
    range.setEnd(node, points.slice(0, to).join("").length);
    const mark = document.createElement("mark");
    mark.className = "target";
    range.surroundContents(mark);
    marks.push(mark);
  }
  return marks;
}

function showPlace() {
  if (!location.hash) return; // the service has marked what `?at` names
  const match = PLACE.exec(decodeURIComponent(location.hash));
  const marked = match && document.getElementById(match[0].slice(1));
  if (marked) return marked.scrollIntoView({ block: "center" });
  for (const mark of speech.querySelectorAll("mark.target")) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent.normalize();
  }
  if (!match) return;
  const paragraph = speech.querySelector(`[data-paragraph="${match[1]}"]`);
  if (!paragraph) return;
  const [mark] = markWords(paragraph, Number(match[2]), Number(match[3]));
  (mark ?? paragraph).scrollIntoView({ block: "center" });
}

function readOffset(paragraph, node, offset) {
  let position = 0;
  for (const text of listTexts(paragraph)) {
    if (text === node) return position + [...text.data.slice(0, offset)].length;
    position += [...text.data].length;
  }
  return null;
}

function readSelection() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const paragraph = range.startContainer.parentElement?.closest("[data-paragraph]");
  if (!paragraph || range.endContainer.parentElement?.closest("[data-paragraph]") !== paragraph) return null;
  const start = readOffset(paragraph, range.startContainer, range.startOffset);
  const end = readOffset(paragraph, range.endContainer, range.endOffset);
  if (start === null || end === null || start >= end) return null;
  return { place: `p${paragraph.dataset.paragraph}:${start}-${end}`, box: range.getBoundingClientRect() };
}

const button = speech.querySelector("[data-link]");
const label = button.textContent;
let chosen = null;

document.addEventListener("selectionchange", () => {
  const selection = readSelection();
  if (!selection && document.activeElement === button) return;
  chosen = selection?.place ?? null;
  button.hidden = !selection;
  button.textContent = label;
  if (!selection) return;
  button.style.top = `${scrollY + selection.box.bottom + 8}px`;
  button.style.left = `${Math.max(8, Math.min(scrollX + selection.box.left, innerWidth - 260))}px`;
});

button.addEventListener("click", async () => {
  if (!chosen) return;
  history.replaceState(null, "", `${location.pathname}#${chosen}`);
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = speech.dataset.copied;
  } catch {
    button.hidden = true; // the address bar has the link
  }
  getSelection().removeAllRanges();
  showPlace();
});

const slider = document.querySelector("[data-threshold]");
slider?.addEventListener("input", () => {
  document.querySelector("[data-threshold-value]").textContent = slider.value;
  for (const part of speech.querySelectorAll(".block[data-heat], .hot[data-heat]")) {
    part.classList.toggle("cold", Number(part.dataset.heat) < Number(slider.value));
  }
});

function readDraft() {
  try {
    const [title, text] = JSON.parse(sessionStorage.getItem(KEPT) ?? '["",""]');
    return text ? [title, text].filter(Boolean).join("\n\n") : "";
  } catch {
    return "";
  }
}

const offer = document.querySelector("[data-draft]");
const draft = readDraft();
if (offer && draft) {
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", () => {
    const form = offer.closest("form");
    form.elements.text.value = draft;
    form.elements.kind.value = "draft";
    form.requestSubmit();
  });
}

if (innerWidth > 960) document.querySelector("[data-tools]").open = true;

addEventListener("hashchange", showPlace);
showPlace();
