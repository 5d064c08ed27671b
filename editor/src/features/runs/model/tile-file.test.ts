import { describe, expect, it } from 'vitest'
import { textFile } from './tile-file'

describe('files of results without media', () => {
  it('are CSV for a table, with headings as words and formulas as text', () => {
    const value = [{ call_to_action: '=1+1', scene: 'A "dawn"' }]
    expect(textFile({ kind: 'data', value, content: null })).toEqual({
      text: '\ufeff"Call to action","Scene"\r\n"\'=1+1","A ""dawn"""\r\n',
      extension: 'csv',
    })
  })

  it('are text for everything else, never JSON', () => {
    const facts = { headline: 'Now', points: ['a', 'b'] }
    expect(textFile({ kind: 'data', value: facts, content: null })).toEqual({
      text: 'Headline: Now\nPoints: a, b',
      extension: 'txt',
    })
    const content = { shape: 'hashtags' as const, hashtags: ['#a', '#b'] }
    expect(textFile({ kind: 'data', value: {}, content }).text).toBe('#a #b')
  })
})
