import { describe, expect, it } from 'vitest'
import { coverOf, coversOf } from './cover'

describe('covers', () => {
  it('are equal for the same agent', () => expect(coverOf('a-1')).toBe(coverOf('a-1')))

  it('differ among the agents of one screen', () => {
    const covers = coversOf(Array.from({ length: 12 }, (_, index) => `agent-${index}`))
    expect(new Set(covers.values()).size).toBe(12)
  })

  it('repeat after the last one', () => {
    expect(coversOf(Array.from({ length: 30 }, (_, index) => `agent-${index}`)).size).toBe(30)
  })
})
