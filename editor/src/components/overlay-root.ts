/**
 * Container of menus, dialogs and tooltips: a landmark beside the page, so that overlays are part of the page outline.
 * All of them share it, because a modal overlay hides everything outside its container.
 */
export function overlayRoot(): HTMLElement | null {
  return document.getElementById('layers')
}
