// Below this width the sidebar lists the places, and covers the page while it is open.
const narrow = matchMedia("(max-width: 768px)");
// Controls of the sidebar: label on wide screens, and as a menu.
const CONTROLS = {
  "[data-testid=stExpandSidebarButton]": ["Expand sidebar", "Menu"],
  "[data-testid=stSidebarCollapseButton] button": ["Collapse sidebar", "Close menu"],
};

const rename = () => {
  for (const [place, names] of Object.entries(CONTROLS)) {
    const control = document.querySelector(place);
    const name = names[+narrow.matches];
    if (control && control.ariaLabel !== name) control.ariaLabel = name;
  }
};

const close = (event) => {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button;
  if (elsewhere || !narrow.matches || !event.target.closest("[data-testid=stSidebarNavLink], [class*=st-key-views-]"))
    return;
  // After the page has handled the selection, which already closes the menu on some phones.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
};

// G, then the letter of a place, goes there. The address of Design is that of the app.
const PLACES = { s: "start", d: "", t: "studies", c: "checks", o: "documents", l: "library" };
const SECOND_KEY_MS = 1500;
const TYPING = "input, textarea, select, [contenteditable], [role=textbox], [role=combobox], "
  + "[role=listbox], [role=grid], [role=dialog]";
let since = 0;

const go = (event) => {
  const key = event.key.toLowerCase();
  const other = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  if (other || event.composedPath()[0].closest?.(TYPING)) {
    since = 0;
  } else if (key === "g") {
    since = Date.now();
  } else if (since && Date.now() - since < SECOND_KEY_MS && key in PLACES) {
    since = 0;
    const links = [...document.querySelectorAll("[data-testid=stTopNav] a, [data-testid=stSidebarNav] a")];
    const ends = (link) => new URL(link.href).pathname.split("/").pop();
    links.find((link) => ends(link) === PLACES[key])?.click();
  } else {
    since = 0;
  }
};

// The first stop of the keyboard leads past the frame to the view.
const skip = () => {
  const main = document.querySelector("[data-testid=stMain]");
  if (!main) return;
  main.id = "view";
  if (document.getElementById("skip-to-view")) return;
  const link = document.createElement("a");
  link.id = "skip-to-view";
  link.href = "#view";
  link.textContent = "Skip to the view";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    main.tabIndex = -1;
    main.focus();
  });
  document.body.prepend(link);
};

// While the server is not reached, nothing that is entered arrives there.
const LOST_MS = 1500; // a reload, or a short interruption, is not reported
let lost = 0;

const connected = () => {
  const app = document.querySelector("[data-testid=stApp]");
  const state = app?.getAttribute("data-test-connection-state");
  clearTimeout(lost);
  if (!state || state === "CONNECTED" || state === "INITIAL") {
    document.getElementById("connection-lost")?.remove();
  } else {
    lost = setTimeout(report, LOST_MS);
  }
};

const report = () => {
  if (document.getElementById("connection-lost")) return;
  const banner = document.createElement("div");
  banner.id = "connection-lost";
  banner.role = "alert";
  const words = document.createElement("strong");
  words.textContent = "Connection to the server lost.";
  banner.append(words, " Nothing entered now is saved. The page reconnects by itself; saved edits are kept.");
  document.body.append(banner);
};

// The server draws the charts in light or dark colours; only this notifies it of a change.
const dark = matchMedia("(prefers-color-scheme: dark)");
const DRESSED_MS = 300; // after the page has changed its scheme and sent it to the server

export default function ({ data, setStateValue }) {
  const dress = () => setTimeout(() => setStateValue("dark", dark.matches), DRESSED_MS);
  const measure = () => setStateValue("narrow", narrow.matches);
  const watch = new MutationObserver(() => {
    rename();
    skip();
  });
  const line = new MutationObserver(connected);
  const app = document.querySelector("[data-testid=stApp]");
  watch.observe(document.body, { childList: true, subtree: true });
  if (app) line.observe(app, { attributeFilter: ["data-test-connection-state"] });
  narrow.addEventListener("change", rename);
  narrow.addEventListener("change", measure);
  // These stay: while a run draws the frame anew there is no instance, and keys are pressed all the same.
  document.addEventListener("click", close);
  document.addEventListener("keydown", go);
  dark.addEventListener("change", dress);
  rename();
  skip();
  connected();
  if (data.narrow !== narrow.matches) measure();
  return () => {
    watch.disconnect();
    line.disconnect();
    clearTimeout(lost);
    narrow.removeEventListener("change", rename);
    narrow.removeEventListener("change", measure);
    dark.removeEventListener("change", dress);
  };
}
