// A region of one text leads to its counterpart in the other; without this script its link does.
(() => {
  const light = (pane, number) => {
    const sides = pane.closest(".sides");
    sides.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
    sides.querySelectorAll(`[data-region="${number}"]`).forEach((e) => e.classList.add("lit"));
  };
  const bring = (from, to) => {
    const [here, there] = [from.closest(".pane"), to.closest(".pane")];
    const [a, b] = [here.getBoundingClientRect(), there.getBoundingClientRect()];
    const beside = Math.abs(a.top - b.top) < 40;
    // Beside one another both begin at one height; one under the other, at the top.
    const wish = beside ? Math.max(from.getBoundingClientRect().top, a.top, 0) : b.top + 4;
    there.scrollTop += to.getBoundingClientRect().top - wish;
    const top = to.getBoundingClientRect().top;
    if (top < 0 || top > innerHeight - 60) to.scrollIntoView({ block: "center", inline: "nearest" });
  };
  addEventListener("click", (event) => {
    const region = event.target.closest(".sides [data-to]");
    const badge = event.target.closest("a.badge");
    if (!region || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!badge && !getSelection().isCollapsed) return; // somebody marks lines to copy them
    const to = document.getElementById(badge ? badge.hash.slice(1) : region.dataset.to);
    if (!to) return;
    event.preventDefault();
    // In a long region, the line that was clicked is met by its equal, where it has one.
    const line = badge ? null : event.target.closest(".l");
    const said = (l) => l.lastChild.textContent.trim();
    const same = line && said(line) && [...to.closest("[data-region]").querySelectorAll(".l")]
      .find((l) => said(l) === said(line));
    light(region.closest(".pane"), to.closest("[data-region]").dataset.region);
    bring(same ? line : badge || region, same || to);
    to.focus({ preventScroll: true });
  });
})();
