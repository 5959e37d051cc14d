// The page Operate: follows running jobs. Without it, load the page again.

const live = document.querySelector("[data-live]");

async function follow() {
  const seconds = Number(live.dataset.poll);
  if (!seconds) return;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  if (!document.hidden && !live.contains(document.activeElement)) {
    try {
      const response = await fetch("/operate", { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const now = page.querySelector("[data-live]");
      if (!response.ok || !now) return;
      live.replaceChildren(...[...now.childNodes].map((node) => document.adoptNode(node)));
      live.dataset.poll = now.dataset.poll;
    } catch {
      // the service is away for a moment: ask again
    }
  }
  follow();
}

follow();
