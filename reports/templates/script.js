// Conveniences only: the page says everything without this script.
(() => {
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const bar = document.querySelector(".tools");
  let unfilter = () => {};
  if (bar) {
    bar.hidden = false;
    bar.querySelector("[data-fold]").addEventListener("click", (event) => {
      const open = event.currentTarget.getAttribute("aria-pressed") !== "true";
      event.currentTarget.setAttribute("aria-pressed", String(open));
      all("#findings details:not(.rest)").forEach((d) => { d.open = open; });
    });
    const told = bar.querySelector("[role=status]");
    const field = bar.querySelector("input");
    const filter = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      all("#findings [data-filter]").forEach((item) => {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        shown += item.hidden || item.tagName === "TR" ? 0 : 1;
      });
      // A table without rows and a heading with nothing below it say nothing.
      all("#findings [data-part]").forEach((part) => {
        part.hidden = words.length > 0 && !all("[data-filter]", part).some((i) => !i.hidden);
      });
      all("#findings [data-rows]").forEach((box) => {
        box.hidden = !all("tr[data-filter]", box).some((row) => !row.hidden);
      });
      if (!words.length) told.textContent = "";
      else told.textContent = shown ? shown + " shown" : "Nothing contains “" + field.value.trim() + "”.";
    };
    field.addEventListener("input", filter);
    unfilter = () => { field.value = ""; filter(); };
  }
  const reveal = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { return; }
    const target = document.getElementById(name);
    if (!target) return;
    if (target.closest("[hidden]")) unfilter();
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  // The address stays the same when a link is followed twice, and then no hash changes.
  addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) reveal();
  });
  if (location.hash) reveal();
  const cues = () => all(".cue").forEach((cue) => {
    const box = cue.nextElementSibling;
    cue.hidden = box.scrollWidth <= box.clientWidth;
  });
  cues();
  addEventListener("resize", cues);
  addEventListener("beforeprint", () => all("details:not(.rest)").forEach((d) => { d.open = true; }));
})();
