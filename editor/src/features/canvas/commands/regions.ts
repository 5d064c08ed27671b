import type { Session } from '@/document/session'
import { enter } from './walk'

const STOPS = 'button, input, textarea, select, a[href], [tabindex="0"]'

/** F6 goes from one part of the page to the next, however much there is in each. */
export function toRegion(session: Session, back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(stopIn)
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const from = at < 0 && back ? regions.length : at
  const next = regions.at((from + (back ? -1 : 1)) % regions.length)
  if (next?.dataset.region === 'canvas' && session.document.nodes.length > 0) enter(session, false)
  else if (next) stopIn(next)?.focus()
}

function stopIn(region: HTMLElement): HTMLElement | undefined {
  const stops = [...region.querySelectorAll<HTMLElement>(STOPS)]
  return stops.find((one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility())
}
