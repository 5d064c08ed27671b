const TAB_STOPS = 'button, input, textarea, select, a[href], summary, [tabindex="0"]'

/** The focusable elements inside an element, in DOM order. */
export function tabStopsIn(place: Element): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(TAB_STOPS)].filter(isTabStop)
}

function isTabStop(one: HTMLElement): boolean {
  return one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true })
}
