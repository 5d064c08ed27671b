/**
 * Where menus, dialogs and tooltips are drawn: a landmark of its own beside the page, so that what floats is
 * still part of the page's outline. All of them share it, because a modal one hides everything around its own.
 */
export function overlayRoot(): HTMLElement | null {
  return document.getElementById('layers')
}
