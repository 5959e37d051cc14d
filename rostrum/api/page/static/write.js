// The page Write: asks for quotes while one types, underlines quotations, lets other words be chosen.
// The form works without it. It sends the same form, for one part of the page, and shows what comes back.

const form = document.querySelector("[data-write]");
const text = form.querySelector("[data-text]");
const mirror = form.querySelector("[data-mirror]");
const results = form.querySelector("[data-results]");
const verdicts = form.querySelector("[data-verdicts]");
const panel = results.parentElement;

const PAUSE_MS = 350;
const KEPT = "rostrum.draft";
let pause = 0;
let request = null;
const shown = { results: "", verdicts: text.defaultValue };

function readPlace() {
  // Characters before the cursor, counted as the service counts them: by code points, not UTF-16 units.
  return [...text.value.slice(0, text.selectionEnd)].length;
}

function describe(part) {
  // What an answer depends on: the same draft is not asked for twice once it was answered.
  const fields = new FormData(form);
  if (part === "verdicts") return String(fields.get("text"));
  fields.set("place", readPlace());
  return JSON.stringify([...fields.entries()]);
}

async function ask(part, extra = {}) {
  // One request at a time: whoever calls this has cancelled the one before.
  const fields = new FormData(form);
  fields.set("place", readPlace());
  fields.set("part", part);
  for (const [name, value] of Object.entries(extra)) fields.set(name, value);
  const response = await fetch("/", {
    method: "POST",
    body: fields,
    headers: { Accept: "text/html" },
    signal: request.signal,
  });
  const html = await response.text();
  if (response.status === 401) {
    keep();
    location.assign("/login?next=/");
    return null;
  }
  if (response.ok) return { isAnswer: true, fragment: parse(html) };
  const page = new DOMParser().parseFromString(html, "text/html");
  const problem = page.querySelector("[data-error] .error");
  const fragment = document.createDocumentFragment();
  fragment.append(problem ? document.adoptNode(problem) : say(form.dataset.offline));
  return { isAnswer: false, fragment };
}

function parse(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...[...page.body.childNodes].map((node) => document.adoptNode(node)));
  return fragment;
}

function say(words) {
  const line = document.createElement("p");
  line.className = "error";
  line.textContent = words;
  return line;
}

function cancel() {
  clearTimeout(pause);
  request?.abort();
}

async function fill(work) {
  // Cancels the request before this one, and shows that the panel waits for an answer.
  cancel();
  request = new AbortController();
  const { signal } = request;
  panel.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    if (error.name !== "AbortError") show("results", { isAnswer: false, fragment: say(form.dataset.offline) });
  } finally {
    if (!signal.aborted) panel.removeAttribute("aria-busy");
  }
}

function refresh() {
  return fill(async () => {
    await update("verdicts");
    await update("results");
  });
}

async function update(part) {
  const wanted = describe(part);
  if (wanted === shown[part]) return;
  const response = await ask(part);
  if (response !== null) show(part, response, wanted);
}

function show(part, { isAnswer, fragment }, wanted) {
  // After an error, the same draft is asked for again.
  const target = part === "verdicts" ? verdicts : results;
  target.replaceChildren(fragment);
  shown[part] = isAnswer ? (wanted ?? describe(part)) : null;
  if (part === "verdicts") draw();
  else equip(target);
}

function schedule() {
  cancel();
  pause = setTimeout(refresh, PAUSE_MS);
}

// Underlines: a copy of the draft behind the field, whose words are invisible and whose marks are not.

function draw() {
  const value = text.value;
  const marks = readMarks(value);
  const place = text.selectionEnd;
  const cuts = new Set([0, place, value.length, ...marks.flatMap(({ start, end }) => [start, end])]);
  const edges = [...cuts].sort((one, other) => one - other);
  const nodes = [];
  edges.forEach((edge, number) => {
    if (edge === place) nodes.push(Object.assign(document.createElement("span"), { className: "place" }));
    const next = edges[number + 1];
    if (next === undefined) return;
    const grade = marks.find(({ start, end }) => start <= edge && next <= end)?.grade;
    const piece = value.slice(edge, next);
    nodes.push(grade ? Object.assign(document.createElement("mark"), { className: grade, textContent: piece }) : piece);
  });
  mirror.replaceChildren(...nodes, "\n");
}

function readMarks(value) {
  // Verdicts are of an older draft while one types: what stands before and after the change is where it was.
  const checked = shown.verdicts ?? "";
  let head = 0;
  const most = Math.min(checked.length, value.length);
  while (head < most && checked[head] === value[head]) head += 1;
  let tail = 0;
  while (tail < most - head && checked.at(-1 - tail) === value.at(-1 - tail)) tail += 1;
  const moved = value.length - checked.length;
  return [...verdicts.querySelectorAll("[data-start]")]
    .map(({ dataset }) => ({ start: +dataset.start, end: +dataset.end, grade: dataset.grade }))
    .filter(({ start, end }) => end <= head || start >= checked.length - tail)
    .map(({ start, end, grade }) =>
      end <= head ? { start, end, grade } : { start: start + moved, end: end + moved, grade });
}

// Cards: copy, and other words of a paragraph.

function equip(root) {
  for (const area of root.querySelectorAll("[data-copy]")) {
    const details = area.closest("details");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = details.querySelector("summary").textContent;
    button.setAttribute("aria-label", area.getAttribute("aria-label"));
    button.addEventListener("click", () => copy(area, button));
    area.hidden = true;
    details.replaceWith(button, area);
  }
}

async function copy(area, button) {
  const html = area.dataset.copy === "html";
  try {
    if (html && window.ClipboardItem) {
      const plain = area.parentElement.querySelector("[data-copy=plain]").value;
      await navigator.clipboard.write([
        new ClipboardItem({
          "text/html": new Blob([area.value], { type: "text/html" }),
          "text/plain": new Blob([plain], { type: "text/plain" }),
        }),
      ]);
    } else {
      await navigator.clipboard.writeText(area.value);
    }
  } catch {
    // No clipboard for pages without HTTPS: show the words, selected, to be copied by hand.
    area.hidden = false;
    area.focus();
    area.select();
    return;
  }
  const label = button.textContent;
  button.textContent = area.dataset.done;
  setTimeout(() => { button.textContent = label; }, 1500);
}

let chooser = null;

function offerSelection() {
  chooser?.remove();
  chooser = null;
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const paragraph = closestParagraph(range.commonAncestorContainer);
  if (!paragraph) return;
  const before = range.cloneRange();
  before.selectNodeContents(paragraph);
  before.setEnd(range.startContainer, range.startOffset);
  const start = [...before.toString()].length;
  const end = start + [...range.toString()].length;
  const box = range.getBoundingClientRect();
  chooser = document.createElement("button");
  chooser.type = "button";
  chooser.className = "selection";
  chooser.textContent = paragraph.dataset.use;
  chooser.style.left = `${box.left + scrollX}px`;
  chooser.style.top = `${box.bottom + scrollY + 6}px`;
  chooser.addEventListener("pointerdown", (event) => event.preventDefault());
  chooser.addEventListener("click", () => choose(paragraph, start, end));
  document.body.append(chooser);
}

function closestParagraph(node) {
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  return element?.closest("[data-use]");
}

async function choose(paragraph, start, end) {
  chooser?.remove();
  const words = paragraph.closest("[data-words]");
  cancel();
  request = new AbortController();
  try {
    const response = await ask("words", { at: paragraph.dataset.place, start_char: start, end_char: end });
    if (response === null) return;
    if (!response.isAnswer) return words.append(response.fragment);
    words.replaceChildren(response.fragment);
    equip(words);
  } catch (error) {
    if (error.name !== "AbortError") words.append(say(form.dataset.offline));
  }
}

function insert(quote) {
  // Typed, as far as the browser can tell, so that it can be undone.
  const before = text.value.slice(0, text.selectionEnd);
  const words = before && !/\s$/.test(before) ? ` ${quote}` : quote;
  text.focus();
  text.setSelectionRange(text.selectionEnd, text.selectionEnd);
  if (document.execCommand("insertText", false, words)) return;
  text.setRangeText(words, text.selectionEnd, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

results.addEventListener("click", ({ target }) => {
  const words = target.closest("[data-words]");
  if (target.matches("[data-insert]")) insert(target.dataset.insert);
  if (target.matches("[data-choose]")) {
    choose(words.querySelector("[data-use]"), +target.dataset.start, +target.dataset.end);
  }
});

// The draft stays in this tab when the page is loaded again, and goes with the tab or the session.

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([form.elements.title.value, text.value, text.selectionEnd]));
  } catch { /* storage is full or forbidden: then nothing is kept */ }
}

function recall() {
  if (text.value || form.elements.title.value) return;
  try {
    const [title, value, place] = JSON.parse(sessionStorage.getItem(KEPT) ?? '["","",0]');
    form.elements.title.value = title;
    text.value = value;
    text.setSelectionRange(place, place);
  } catch { sessionStorage.removeItem(KEPT); }
}

form.addEventListener("input", (event) => {
  if (event.target === text) draw();
  keep();
  schedule();
});
for (const name of ["keyup", "pointerup"]) {
  text.addEventListener(name, () => {
    draw();
    schedule();
  });
}
form.elements.title.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  text.focus();
});
form.addEventListener("submit", (event) => {
  // Buttons of cards and filters: the same form with the button's field.
  event.preventDefault();
  const button = event.submitter;
  press(button?.name ? { [button.name]: button.value } : {});
});
document.addEventListener("selectionchange", () => {
  if (!closestParagraph(document.getSelection()?.anchorNode ?? document.body)) chooser?.remove();
});
document.addEventListener("pointerup", () => setTimeout(offerSelection));
document.addEventListener("keyup", (event) => { if (event.shiftKey || event.key === "Shift") offerSelection(); });
document.querySelector(".sign-out")?.addEventListener("submit", () => sessionStorage.removeItem(KEPT));

function press(extra) {
  const speaker = extra.choose_speaker, collection = extra.choose_collection, decade = extra.choose_decade;
  if (speaker) form.elements.speaker.value = speaker;
  if (collection) form.elements.collection.value = collection;
  if (decade) [form.elements.since.value, form.elements.until.value] = [decade, String(+decade + 9)];
  if (extra.clear) for (const name of ["speaker", "collection", "since", "until"]) form.elements[name].value = "";
  if (speaker || collection || decade) panel.querySelector(".filter").open = true;
  const claim = text.value.slice(text.selectionStart, text.selectionEnd);
  return fill(async () => {
    const response = await ask("results", extra.find ? { ...extra, claim } : extra);
    if (response === null) return;
    show("results", response);
    panel.scrollTo({ top: 0 });
    if (extra.like || extra.against) results.querySelector("button")?.focus();
    if ("find" in extra) results.querySelector("[aria-pressed=true]")?.focus();
  });
}

recall();
equip(results);
draw();
if (text.value) refresh();
