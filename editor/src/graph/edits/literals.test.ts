import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import type { FlowVariable } from '../document'
import { MAX_VALUE_LENGTH } from '../variables'
import { withLiterals } from './literals'
import { addVariable } from './variables'

const variable = (name: string, value: string): FlowVariable => ({ name, type: 'Text', value })
const outer = addVariable(sampleFlow(), variable('tone', 'loud'))
const holder = (inputs?: Record<string, unknown>) =>
  sampleNode('use', 'agent', { settings: inputs ? { inputs } : {} })
const asking = (text: string, variables: FlowVariable[] = []) =>
  variables.reduce(
    addVariable,
    sampleFlow({ nodes: [sampleNode('ask', 'user_prompt', { settings: { text } })], edges: [] }),
  )
const sealed = (inner: ReturnType<typeof asking>, inputs?: Record<string, unknown>, around = outer) =>
  withLiterals(inner, around, SAMPLE, holder(inputs))

describe('the texts of an inner agent among the variables of the outer one', () => {
  it('keep the placeholders of a template under names that no variable, input or text has', () => {
    const prompt = 'Be {{tone}}, {{tone|calm}}, {{tone_2}}, {{mood}}'
    const write = sampleNode('write', 'language_model', { settings: { system_prompt: prompt } })
    const found = sealed(sampleFlow({ nodes: [write], edges: [] }))
    expect(found.literals).toEqual([])
    expect(found.nodes[0]?.settings.system_prompt).toBe(
      'Be {{tone_3}}, {{tone_3|calm}}, {{tone_2}}, {{mood}}',
    )
  })

  it('become the value of a variable where an outer one would fill the text of an input', () => {
    const found = sealed(asking('Say {{tone}}, {{mood|well}}', [variable('mood', 'softly')]))
    expect(found.literals).toEqual([variable('text', 'Say {{tone}}, softly')])
    expect(found.nodes[0]?.variables).toEqual({ text: 'text' })
  })

  it('are filled with the fallback where the inner variable is empty', () => {
    const text = '{{tone}}: {{mood|well}}{{size}}'
    const found = sealed(asking(text, [variable('mood', ''), variable('size', '')]))
    expect(found.literals).toEqual([variable('text', '{{tone}}: well')])
  })

  it('are not filled where the outer node gives them', () => {
    const inner = asking('Be {{mood}}', [variable('mood', 'softly')])
    expect(sealed(inner, { ask: 'given' }).literals).toEqual([variable('text', 'Be {{mood}}')])
    expect(sealed(inner).literals).toEqual([])
  })

  it('are left alone where no variable would change them, or the value would be too long', () => {
    expect(sealed(asking('Be {{tone}}'), undefined, sampleFlow()).nodes[0]?.variables).toBeUndefined()
    for (const [length, isSealed] of [
      [MAX_VALUE_LENGTH, true],
      [MAX_VALUE_LENGTH + 1, false],
    ] as const) {
      const { literals, nodes } = sealed(asking('{{tone}}'.padEnd(length, '.')))
      expect([literals.length === 1, nodes[0]?.variables !== undefined]).toEqual([isSealed, isSealed])
    }
  })
})
