import { useState } from 'react'
import { readBudget, saveBudget } from './saved-launch'

/** The amount at which the run of a launch stops; the canvas of the same agent has the same one. */
export type Budget = {
  typed: string
  /** US dollars as a decimal string; null for no limit. */
  usd: string | null
  isValid: boolean
  change: (typed: string) => void
  /** Whether models whose price is unknown may be used in spite of the limit. */
  isUnpricedAllowed: boolean
  allowUnpriced: (isAllowed: boolean) => void
}

/** Within what the server accepts. */
const AMOUNT = /^\d{1,6}(\.\d{1,6})?$/

/** `1.50` of `1,50`, `$1.50` or `1.50 USD`; null if it is no amount. */
export function parseAmount(typed: string): string | null {
  const amount = typed
    .replace(/\$|usd/i, '')
    .trim()
    .replace(',', '.')
    .replace(/^\./, '0.')
  return AMOUNT.test(amount) ? amount : null
}

export function useBudget(flowId: string): Budget {
  const [changed, setChanged] = useState<Record<string, string>>({})
  const [allowed, setAllowed] = useState<Record<string, boolean>>({})
  const typed = changed[flowId] ?? readBudget(flowId)
  const usd = parseAmount(typed)
  return {
    typed,
    usd,
    isValid: typed.trim() === '' || usd !== null,
    change: (next) => {
      setChanged((known) => ({ ...known, [flowId]: next }))
      saveBudget(flowId, parseAmount(next) ?? '')
    },
    isUnpricedAllowed: allowed[flowId] ?? false,
    allowUnpriced: (isAllowed) => setAllowed((known) => ({ ...known, [flowId]: isAllowed })),
  }
}
