// Below this width the sidebar lists the pages, and covers the page while it is open.
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
  if (elsewhere || !narrow.matches || !event.target.closest("[data-testid=stSidebarNavLink]"))
    return;
  // After the page has handled the selection, which already closes the menu on some phones.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
};

// The server draws the charts in light or dark colours; only this notifies it of a change.
const dark = matchMedia("(prefers-color-scheme: dark)");
const DRESSED_MS = 300; // after the page has changed its scheme and sent it to the server

export default function ({ setStateValue }) {
  const dress = () => setTimeout(() => setStateValue("dark", dark.matches), DRESSED_MS);
  const watch = new MutationObserver(rename);
  watch.observe(document.body, { childList: true, subtree: true });
  narrow.addEventListener("change", rename);
  document.addEventListener("click", close);
  dark.addEventListener("change", dress);
  rename();
  return () => {
    watch.disconnect();
    narrow.removeEventListener("change", rename);
    document.removeEventListener("click", close);
    dark.removeEventListener("change", dress);
  };
}
