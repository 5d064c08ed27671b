import { randomId } from './ids'

const PREFIX = 'impasto.tab.'
const own = randomId()

// Held until the page closes for any reason; without a secure context there are no locks.
void navigator.locks?.request(PREFIX + own, () => new Promise(() => undefined))

/** The open pages of this origin: each holds a lock under its own name. */
export const openTabs = {
  own,
  async isOpen(tab: string): Promise<boolean> {
    const held = (await navigator.locks?.query())?.held ?? []
    return held.some(({ name }) => name === PREFIX + tab)
  },
}
