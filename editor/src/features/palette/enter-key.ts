import type { KeyboardEvent } from 'react'
import type { NodeType } from '@/graph/catalog'
import type { Section } from '@/graph/node-search'

/** The best match of a search, and whether it is only near the words. */
export interface BestMatch {
  readonly first: NodeType | undefined
  readonly isNear: boolean
}

export function bestMatch(found: readonly Section[]): BestMatch {
  return { first: found[0]?.types[0], isNear: found[0]?.category === 'near' }
}

/** Enter adds the best match; a guess is not added at once, so there it leads to the list. */
export function onEnter(
  event: KeyboardEvent,
  { first, isNear }: BestMatch,
  list: HTMLElement | null,
  pick: (type: NodeType) => void,
) {
  if (isNear) {
    event.preventDefault()
    focusList(list)
  } else if (first) pick(first)
}

export function focusList(list: HTMLElement | null) {
  list?.querySelector<HTMLElement>('[data-node-type]')?.focus()
}
