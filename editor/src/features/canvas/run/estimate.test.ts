import { describe, expect, it } from 'vitest'
import { estimateOfNode, formatEstimate, isOverBudget } from './estimate'

describe('estimateOfNode', () => {
  const steps = {
    paint: { usd: '0.16', seconds: 12 },
    'teaser/write': { usd: '0.01', seconds: null },
    'teaser/speak': { usd: '0.02', seconds: 3 },
    'teaser2/speak': { usd: '9', seconds: 3 },
  }

  it('returns the estimate of the node', () => {
    expect(estimateOfNode(steps, 'paint')).toEqual({ usd: '0.16', seconds: 12 })
    expect(estimateOfNode(steps, 'compose')).toBeNull()
  })

  it('says that a price inside an agent is unknown', () => {
    const inner = { 'teaser/write': { usd: '0.01', seconds: 4, price_unknown: true } }
    expect(formatEstimate(estimateOfNode(inner, 'teaser'))).toBe('$0.01 + price unknown · 4 s')
  })

  it('sums the steps of an inner agent, and of no other', () => {
    expect(estimateOfNode(steps, 'teaser')).toEqual({ usd: 0.03, seconds: 3 })
  })
})

describe('formatEstimate', () => {
  it('formats the known values and leaves out the unknown ones', () => {
    expect(formatEstimate({ usd: '0.31', seconds: 40 })).toBe('$0.31 · 40 s')
    expect(formatEstimate({ usd: '0', seconds: null })).toBe('')
    expect(formatEstimate({ usd: '0', seconds: 4, price_unknown: true })).toBe('4 s · price unknown')
    expect(formatEstimate(null)).toBe('')
  })
})

describe('isOverBudget', () => {
  it('compares the estimate with the budget, if there is one', () => {
    expect(isOverBudget({ usd: '0.31', seconds: null }, '0.30')).toBe(true)
    expect(isOverBudget({ usd: '0.31', seconds: null }, '0.31')).toBe(false)
    expect(isOverBudget({ usd: '0.31', seconds: null }, ' ')).toBe(false)
    expect(isOverBudget(null, '0')).toBe(false)
  })
})
