import { describe, expect, it } from 'vitest'
import { extensionOf, fileStem } from '@/lib/files/file-names'
import { loadingMessage } from './tile-text'

describe('loading messages', () => {
  it('rotate and repeat', () => {
    expect([0, 4, 8, 12, 16].map((elapsed) => loadingMessage(elapsed))).toEqual([
      'looking',
      'magic',
      'touch',
      'generating',
      'looking',
    ])
  })

  it('start alike on all tiles, which then differ', () => {
    expect([0, 1, 2, 3].map((offset) => loadingMessage(3.9, offset))).toEqual(Array(4).fill('looking'))
    expect([0, 1, 2].map((offset) => loadingMessage(4, offset))).toEqual(['magic', 'touch', 'generating'])
  })
})

describe('file names', () => {
  it('contain only portable characters', () => {
    expect([fileStem('Héro, 4:5!'), fileStem('…')]).toEqual(['hero-4-5', 'asset'])
    expect([fileStem('ブランド: 絵 1'), fileStem('Größe')]).toEqual(['ブランド-絵-1', 'große'])
    expect([extensionOf('image/png'), extensionOf('text/plain; charset=utf-8'), extensionOf(null)]).toEqual([
      'png',
      'txt',
      'bin',
    ])
  })
})
