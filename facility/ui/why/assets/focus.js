// The search is ready to be typed into as soon as the drawer is opened at it.
export default function ({ parentElement }) {
  const host = parentElement.host ?? parentElement;
  const input = host.closest("[role=dialog]")?.querySelector("input");
  const timer = setTimeout(() => input?.focus(), 60);
  return () => clearTimeout(timer);
}
