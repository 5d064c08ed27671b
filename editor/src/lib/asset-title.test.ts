import { expect, it } from 'vitest'
import type { Asset } from '@/lib/api/assets'
import { titleOf } from './asset-title'

const asset = { name: 'painting.png', media_type: 'image/png', flow_name: 'Packshot Studio' } as Asset

it('names a result by its brief, its agent and its number', () => {
  expect(titleOf({ ...asset, brief: 'Cold brew in a can', number: 2 })).toBe(
    'Cold brew in a can, Packshot Studio 2',
  )
})

it('cuts a long brief at a word', () => {
  const brief = 'a bright morning in Porto '.repeat(4)
  expect(titleOf({ ...asset, brief, number: 1 })).toMatch(/^(a bright morning in Porto )+a…, Packshot/)
})

it('names everything else by its file, or by its type', () => {
  expect(titleOf({ ...asset, brief: 'Cold brew', number: null })).toBe('painting.png')
  expect(titleOf({ ...asset, name: '' })).not.toBe('')
})
