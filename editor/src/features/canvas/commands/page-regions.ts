import { stopsIn } from '@/components/tab-stops'
import type { Session } from '@/document/session'
import { enter } from './card-tab-order'

/** F6 goes from one part of the page to the next, however much there is in each. */
export function toRegion(session: Session, back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => stopsIn(region).length > 0,
  )
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const from = at < 0 && back ? regions.length : at
  const next = regions.at((from + (back ? -1 : 1)) % regions.length)
  if (next?.dataset.region === 'canvas' && session.document.nodes.length > 0) enter(session, false)
  else if (next) stopsIn(next)[0]?.focus()
}
