const STOPS = 'button, input, textarea, select, a[href], summary, [tabindex="0"]'

/** What Tab comes to within a place, in the order of the document. */
export function stopsIn(place: Element): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(STOPS)].filter(canTake)
}

function canTake(one: HTMLElement): boolean {
  return one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true })
}
