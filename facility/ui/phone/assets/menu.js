// Below this width the pages are listed in the sidebar, which covers the page while it is open.
const narrow = matchMedia("(max-width: 768px)");
// What stands for the sidebar: its wide name, and the one it has as a menu.
const CONTROLS = {
  "[data-testid=stExpandSidebarButton]": ["Expand sidebar", "Menu"],
  "[data-testid=stSidebarCollapseButton] button": ["Collapse sidebar", "Close the menu"],
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
  // After the page itself has heard of the choice: on some phones that closes the menu already.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
};

// Charts are drawn in the inks of light or dark by the server, which hears of a change by this alone.
const dark = matchMedia("(prefers-color-scheme: dark)");
const DRESSED_MS = 300; // the page itself is dressed first, and tells the server how it is

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
