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

it('keeps what follows an early space in a script without spaces, and no full stop before the ellipsis', () => {
  const japanese = `新作 ${'木の温もりを感じる手作りの家具'.repeat(6)}`
  expect(titleOf({ ...asset, brief: japanese, number: 1 }).length).toBeGreaterThan(60)
  const german = 'Werbung für unsere Maßküchen aus Eiche: Aktion bis 30. November, Aufmaß kostenlos'
  expect(titleOf({ ...asset, brief: german, number: 1 })).toMatch(/Aktion bis 30…, Packshot/)
})

it('names everything else by its file, or by its type', () => {
  expect(titleOf({ ...asset, brief: 'Cold brew', number: null })).toBe('painting.png')
  expect(titleOf({ ...asset, name: '' })).not.toBe('')
})
