import { expect, it } from 'vitest'
import { portsOf } from './agent-ports'

const results = (...ports: [node: string, port: string][]) =>
  ports.map(([node, port]) => ({ node, port, title: node, type: 'Text', list: false }))

const names = (...ports: [node: string, port: string][]) =>
  portsOf({ inputs: {}, results: results(...ports) } as Parameters<typeof portsOf>[0]).outputs.map(
    ({ name }) => name,
  )

it('names an output by its node, and by its port too where the node has several', () => {
  expect(names(['write', 'output'], ['split', 'left'], ['split', 'right'])).toEqual([
    'write',
    'split.left',
    'split.right',
  ])
})

it('names the results of an agent inside the agent as that agent names them', () => {
  expect(names(['teaser/say', 'output'], ['write', 'output'])).toEqual(['teaser', 'write'])
  expect(names(['teaser/say', 'output'], ['teaser/cut/left', 'a'], ['teaser/cut/left', 'b'])).toEqual([
    'teaser.say',
    'teaser.cut.left.a',
    'teaser.cut.left.b',
  ])
})
