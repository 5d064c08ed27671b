import { tabStopsIn } from '@/components/tab-stops'
import type { Session } from '@/document/session'
import { enterCards } from './card-tab-order'

/** F6 goes from one part of the page to the next, however much there is in each. */
export function focusRegion(session: Session, back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => tabStopsIn(region).length > 0,
  )
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const from = at < 0 && back ? regions.length : at
  const next = regions.at((from + (back ? -1 : 1)) % regions.length)
  if (next?.dataset.region === 'canvas' && session.document.nodes.length > 0) enterCards(session, false)
  else if (next) tabStopsIn(next)[0]?.focus()
}
