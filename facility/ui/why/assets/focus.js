// Focus the search input when the drawer opens.
export default function ({ parentElement }) {
  const host = parentElement.host ?? parentElement;
  const input = host.closest("[role=dialog]")?.querySelector("input");
  const timer = setTimeout(() => input?.focus(), 60);
  return () => clearTimeout(timer);
}
