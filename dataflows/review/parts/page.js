"use strict";
(() => {
  const body = document.body;
  const find = (id) => document.getElementById(id);
  const all = (query, within = document) => Array.from(within.querySelectorAll(query));
  const lineage = JSON.parse(find("lineage").textContent);
  const links = all("#contents a");
  const articles = new Map(all("#articles .section").map((one) => [one.dataset.section, one]));
  const drawing = find("drawing");
  const search = find("search");
  let chosen = null;

  // Sections: one at a time, named by the address, so that the browser's own history works.
  const shownLinks = () => links.filter((link) => !link.closest("li").hidden);

  function choose(name) {
    const article = articles.get(name);
    if (!article) return;
    chosen = name;
    for (const [other, one] of articles) one.classList.toggle("selected", other === name);
    for (const link of links) {
      if (link.dataset.section === name) {
        link.setAttribute("aria-current", "true");
        const list = find("contents");
        const top = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
        if (top < 0 || top > list.clientHeight - 40) {
          list.scrollTop += top - list.clientHeight / 2;
        }
      } else link.removeAttribute("aria-current");
    }
    for (const row of all("#matrix .row")) {
      row.classList.toggle("selected", row.dataset.section === name);
    }
    light(name);
  }

  function followAddress() {
    const target = find(decodeURIComponent(location.hash.slice(1)));
    const article = target && target.closest(".section");
    if (!article) return;
    choose(article.dataset.section);
    if (target.tagName === "DETAILS") target.open = true;
    // The section's name stays in sight where the text that was asked for fits below it.
    const below = target.getBoundingClientRect().top - article.getBoundingClientRect().top;
    (below < innerHeight * 0.6 ? article : target).scrollIntoView({ block: "start" });
    if (!find("contents").contains(document.activeElement)) {
      article.focus({ preventScroll: true });
    }
  }

  function go(link) {
    if (!link) return;
    const inside = find("contents").contains(document.activeElement);
    history.replaceState(null, "", link.hash);
    choose(link.dataset.section);
    if (inside) link.focus({ preventScroll: true });
    else articles.get(link.dataset.section).scrollIntoView({ block: "nearest" });
  }

  function step(by, wanted = () => true) {
    const known = shownLinks();
    const at = known.findIndex((link) => link.dataset.section === chosen);
    for (let next = at + by; next >= 0 && next < known.length; next += by) {
      if (wanted(known[next])) return go(known[next]);
    }
  }

  // Finding.
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const link of links) {
      const fits = words.every((word) => link.dataset.words.includes(word));
      link.closest("li").hidden = !fits;
      if (fits) count += 1;
      const row = find("matrix").querySelector(`[data-section="${CSS.escape(link.dataset.section)}"]`);
      row.hidden = !fits;
    }
    for (const group of all("#contents .group")) {
      group.hidden = all("li", group).every((one) => one.hidden);
    }
    for (const group of all("#matrix tbody")) {
      group.hidden = all(".row", group).every((one) => one.hidden);
    }
    find("found").textContent = words.length ? `${count} of ${links.length}` : "";
  }

  // The matrix: one stop for Tab, arrows inside.
  const cells = () => all("#matrix .row").filter((row) => row.offsetParent)
    .map((row) => all("a", row));

  function moveInMatrix(event) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = moves[event.key];
    const link = event.target.closest(".row a");
    if (!move || !link) return;
    const grid = cells();
    const row = grid.findIndex((one) => one.includes(link));
    const next = grid[row + move[0]]?.[grid[row].indexOf(link) + move[1]];
    event.preventDefault();
    if (!next) return;
    link.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function fold(group, folded) {
    group.classList.toggle("folded", folded);
    const button = group.querySelector("button");
    button.setAttribute("aria-expanded", String(!folded));
    button.querySelector(".arrow").textContent = folded ? "▸" : "▾";
  }

  function pressed(button, change) {
    button.addEventListener("click", () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      change(now);
    });
  }

  // The picture.
  const ends = (edge) => edge.id.slice("edge-".length).split("--").map((end) => `node-${end}`);

  const rowOf = (name) => (lineage[name] || [])[0];

  function light(name) {
    const on = new Set(name ? lineage[name] || [] : []);
    drawing.classList.toggle("lit", on.size > 0);
    find("unlight").hidden = on.size === 0;
    find("lit").textContent = on.size ? `lit: ${name}` : "";
    for (const node of all('[id^="node-"]', drawing)) {
      node.classList.toggle("on", on.has(node.id));
      node.classList.toggle("holds", all('[id^="node-"]', node).some((one) => on.has(one.id)));
    }
    if (!name) drawing.scrollTo(0, 0);
    const own = name && drawing.querySelector(`[id="${CSS.escape(rowOf(name))}"]`);
    if (own) {
      const place = own.getBoundingClientRect();
      const frame = drawing.getBoundingClientRect();
      drawing.scrollTop += place.top - frame.top - frame.height / 2;
      drawing.scrollLeft += place.left - frame.left - frame.width / 2;
    }
    for (const edge of all(".edge", drawing)) {
      const [from, to] = ends(edge);
      edge.classList.toggle("on", on.has(from) && on.has(to));
    }
  }

  function chooseInPicture(event) {
    const node = event.target.closest('a, [id^="node-"]');
    const id = node && (node.id || node.closest("[id]")?.id || "").replace(/^a_/, "");
    const name = id && Object.keys(lineage).find((one) => id === rowOf(one));
    if (node && node.tagName.toLowerCase() === "a") event.preventDefault();
    if (name) {
      history.replaceState(null, "", `#${articles.get(name).id}`);
      choose(name);
    }
  }

  function onKey(event) {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape" && (typing || search.value)) {
      search.value = "";
      filter();
      search.blur();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inContents = find("contents").contains(event.target);
    const keys = {
      "/": () => { search.focus(); search.scrollIntoView({ block: "center" }); },
      j: () => step(1),
      k: () => step(-1),
      n: () => step(1, (link) => link.classList.contains("changed")),
    };
    if (inContents) {
      keys.ArrowDown = keys.j;
      keys.ArrowUp = keys.k;
      keys.Home = () => go(shownLinks()[0]);
      keys.End = () => go(shownLinks().at(-1));
    }
    const action = keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  body.classList.add("js");
  const onlyChanged = find("only-changed");
  pressed(onlyChanged, (now) => find("matrix").classList.toggle("only-changed", now));
  pressed(find("fold-all"), (now) => all("#matrix tbody").forEach((group) => fold(group, now)));
  pressed(find("fit"), (now) => drawing.classList.toggle("fitted", now));
  find("unlight").addEventListener("click", () => light(null));
  search.addEventListener("input", filter);
  drawing.addEventListener("click", chooseInPicture);
  for (const group of all("#matrix tbody")) {
    group.querySelector("button").addEventListener("click", () => {
      fold(group, !group.classList.contains("folded"));
    });
  }
  find("matrix").addEventListener("keydown", moveInMatrix);
  all("#matrix .row a").forEach((link, number) => { link.tabIndex = number ? -1 : 0; });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", followAddress);
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all(".card details:not([open]), .text:not([open])");
    for (const one of opened) one.open = true;
  });
  window.addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

  // A long review begins with what changed; a short one shows it all.
  const differing = all("#matrix .row.changed").length > 0;
  onlyChanged.hidden ||= !differing;
  if (differing && links.length > 40 && body.classList.contains("compared")) onlyChanged.click();
  const first = links.find((link) => link.classList.contains("changed")) || links[0];
  if (first) choose(first.dataset.section);
  light(null);
  followAddress();
})();
