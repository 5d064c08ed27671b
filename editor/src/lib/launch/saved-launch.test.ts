// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  clearHomeDraft,
  type HomeDraft,
  readBudget,
  readHomeDraft,
  saveBudget,
  useSavedDraft,
} from './saved-launch'

const EMPTY: HomeDraft = { prompt: '', images: [], agent: null }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the draft on the home page', () => {
  it('is empty at first, and stored with each change while it is enabled', () => {
    expect(readHomeDraft()).toEqual(EMPTY)
    const drafts: { draft: HomeDraft; enabled: boolean }[] = [
      { draft: { prompt: 'A can', images: ['one', 'two'], agent: 'kit' }, enabled: true },
      { draft: { prompt: 'A bottle', images: [], agent: null }, enabled: true },
      { draft: { prompt: 'Launched', images: [], agent: null }, enabled: false },
    ]
    const { rerender } = renderHook(({ draft, enabled }) => useSavedDraft(draft, enabled), {
      initialProps: drafts[0] as (typeof drafts)[0],
    })
    expect(readHomeDraft()).toEqual(drafts[0]?.draft)
    rerender(drafts[1] as (typeof drafts)[0])
    expect(readHomeDraft()).toEqual(drafts[1]?.draft)
    rerender(drafts[2] as (typeof drafts)[0])
    expect(readHomeDraft()).toEqual(drafts[1]?.draft)
  })

  it('keeps only the agent after a launch', () => {
    renderHook(() => useSavedDraft({ prompt: 'A can', images: ['one'], agent: 'kit' }, true))
    clearHomeDraft()
    expect(readHomeDraft()).toEqual({ ...EMPTY, agent: 'kit' })
  })
})

it('stores the budget of each agent without spaces', () => {
  saveBudget('kit', ' 2.50 ')
  expect([readBudget('kit'), readBudget('other')]).toEqual(['2.50', ''])
  saveBudget('kit', ' ')
  expect(readBudget('kit')).toBe('')
})
