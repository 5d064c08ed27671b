// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { Asset } from '@/lib/api/assets'
import { sharesOf } from './tag-editor'

const tagged = (...tags: string[]) => ({ tags }) as Asset

it('counts how many assets have each tag, in any case', () => {
  expect(sharesOf([tagged('Spring', 'hero'), tagged('spring'), tagged()])).toEqual([
    { name: 'Spring', count: 2 },
    { name: 'hero', count: 1 },
  ])
})
