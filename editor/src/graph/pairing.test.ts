import { expect, it } from 'vitest'
import { costOf } from './pairing'
import type { Port } from './ports'

const port = (type: string, more: Partial<Port> = {}): Port => ({
  ...{ name: 'a', title: 'A', help: '', type, list: false, depth: 0, lazy: false, required: true },
  kind: 'port',
  ...more,
})

it('ports are nearer the more they have in common: their type, their depth, and that the input is required', () => {
  const text = port('Text')
  const costs = [
    costOf(text, text),
    costOf(text, port('Text', { required: false })),
    costOf(text, port('Text', { depth: 1 })),
    costOf(text, port('Image')),
    costOf(text, port('Any')),
    costOf(port('Any'), port('Text', { required: false })),
  ]
  expect(costs).toEqual([0, 1, 2, 4, 8, 9])
})
