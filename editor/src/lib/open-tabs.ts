import { randomId } from './ids'

const PREFIX = 'impasto.tab.'
const own = randomId()

// Held as long as this page lives, however it ends; a page without a secure origin has no locks to hold.
void navigator.locks?.request(PREFIX + own, () => new Promise(() => undefined))

/** Which pages of this origin are open: each holds a lock under a name of its own. */
export const openTabs = {
  own,
  async isOpen(tab: string): Promise<boolean> {
    const held = (await navigator.locks?.query())?.held ?? []
    return held.some(({ name }) => name === PREFIX + tab)
  },
}
