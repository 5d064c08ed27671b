import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { fragmentFromText, fragmentToText } from '../clipboard'
import { describeDiff, diff, isEmpty, nodeDifferences } from '../diff'
import { type FlowDocument, type FlowVariable, findNode } from '../document'
import { merge } from '../merge'
import { parseDocument } from '../parse'
import { inputPorts } from '../ports'
import {
  boundNode,
  findVariable,
  fits,
  freshName,
  MAX_VARIABLES,
  nameError,
  typeOfValue,
  usesOf,
  variablesUsedBy,
  withoutFilled,
} from '../variables'
import { connect } from './edges'
import { setSetting } from './nodes'
import { extractWithVariables, type Fragment, pasteWithVariables } from './paste'
import { swapType } from './swap'
import {
  addVariable,
  changeVariable,
  moveVariable,
  placeValue,
  removeVariable,
  renameVariable,
  setUses,
  setVariableUse,
} from './variables'

const tone: FlowVariable = { name: 'tone', type: 'Text', value: 'dry' }
const count: FlowVariable = { name: 'count', type: 'Integer', value: 3 }
const withBoth = addVariable(addVariable(sampleFlow(), tone), count)
const used = setVariableUse(
  setSetting(withBoth, 'write', 'system_prompt', 'Be {{tone}}, {{tone|calm}}, {{mood}}'),
  'paint',
  'n_images',
  'count',
)
const node = (flow: FlowDocument, id: string) => findNode(flow, id)
const prompt = (flow: FlowDocument) => node(flow, 'write')?.settings.system_prompt

describe('variables of a document', () => {
  it('have a format of their own, which a document without any does not have', () => {
    expect(sampleFlow().format).toBe(1)
    expect(used.format).toBe(2)
    const without = removeVariable(removeVariable(used, SAMPLE, 'tone'), SAMPLE, 'count')
    expect([without.format, 'variables' in without]).toEqual([1, false])
    expect(parseDocument(JSON.parse(JSON.stringify(used)))).toEqual(used)
  })

  it('take the type of the value that a setting has, an integer where the setting wants one', () => {
    const typeOf = (value: unknown) => typeOfValue(undefined, value)
    expect(['', true, 3, 0.5, [], {}].map(typeOf)).toEqual([
      'Text',
      'Boolean',
      'Number',
      'Number',
      'Json',
      'Json',
    ])
    expect([3, 0.5].map((value) => typeOfValue({ type: 'integer' }, value))).toEqual(['Integer', 'Number'])
    expect(typeOfValue({ type: 'number' }, 3)).toBe('Number')
  })

  it('are added once, changed, moved and looked up', () => {
    expect(addVariable(withBoth, { ...tone, value: 'other' })).toBe(withBoth)
    expect(changeVariable(withBoth, 'tone', { value: 'dry' })).toBe(withBoth)
    const described = changeVariable(withBoth, 'tone', { description: 'How it sounds' })
    expect(findVariable(described, 'tone')).toEqual({ ...tone, description: 'How it sounds' })
    const bare = changeVariable(described, 'tone', { description: undefined })
    expect(findVariable(bare, 'tone')).toEqual(tone)
    expect(moveVariable(withBoth, 'count', -1).variables).toEqual([count, tone])
    expect(moveVariable(withBoth, 'count', 1)).toBe(withBoth)
  })

  it('know where they are used', () => {
    expect(usesOf(used, SAMPLE)).toEqual(
      new Map([
        ['tone', [{ node: 'write', setting: 'system_prompt', kind: 'template' }]],
        ['count', [{ node: 'paint', setting: 'n_images', kind: 'setting' }]],
      ]),
    )
    expect(variablesUsedBy(used, SAMPLE, new Set(['paint']))).toEqual([count])
  })

  it('do not fill a placeholder that is an input of the node, or has an edge', () => {
    const own = setSetting(withBoth, 'write', 'system_prompt', '{{prompt}} {{tone}}')
    expect(usesOf(addVariable(own, { ...tone, name: 'prompt' }), SAMPLE).has('prompt')).toBe(false)
    const fed = connect(own, SAMPLE, { node: 'ask', port: 'output' }, { node: 'write', port: 'tone' })
    expect(usesOf(fed, SAMPLE).has('tone')).toBe(false)
    const shown = (flow: FlowDocument) => {
      const one = node(flow, 'write')
      return (
        one && withoutFilled(inputPorts(one, SAMPLE.typeOf(one)), flow, flow.edges).map(({ name }) => name)
      )
    }
    expect(shown(own)).toEqual(['prompt', 'brand'])
    expect(shown(fed)).toEqual(['prompt', 'brand', 'tone'])
  })
})

describe('renaming', () => {
  it('changes every use, with the words after the bar', () => {
    const renamed = renameVariable(renameVariable(used, SAMPLE, 'tone', 'voice'), SAMPLE, 'count', 'n')
    expect(prompt(renamed)).toBe('Be {{voice}}, {{voice|calm}}, {{mood}}')
    expect(node(renamed, 'paint')?.variables).toEqual({ n_images: 'n' })
    expect(renamed.variables?.map(({ name }) => name)).toEqual(['voice', 'n'])
  })

  it('changes the only placeholder of a text', () => {
    const one = setSetting(withBoth, 'write', 'system_prompt', 'Be {{tone}}')
    expect(prompt(renameVariable(one, SAMPLE, 'tone', 'voice'))).toBe('Be {{voice}}')
  })

  it('leaves a node of a type that is not installed as it is', () => {
    const gone = sampleNode('gone', 'gone_type', { settings: { system_prompt: 'Be {{tone}}' } })
    const renamed = renameVariable({ ...used, nodes: [...used.nodes, gone] }, SAMPLE, 'tone', 'voice')
    expect(node(renamed, 'gone')).toBe(gone)
    expect(prompt(renamed)).toBe('Be {{voice}}, {{voice|calm}}, {{mood}}')
  })

  it.each([
    ['', 'empty'],
    ['a b', 'characters'],
    ['1st', 'characters'],
    ['x'.repeat(65), 'long'],
    ['count', 'taken'],
    ['prompt', 'input'],
    ['mood', 'placeholder'],
  ])('to %j is refused', (name, code) => {
    expect(nameError(used, SAMPLE, name, 'tone')?.code).toBe(code)
  })

  it('to its own name or to a free one is allowed, and a new variable may fill a placeholder', () => {
    expect(nameError(used, SAMPLE, 'tone', 'tone')).toBeNull()
    expect(nameError(used, SAMPLE, 'größe', 'tone')).toBeNull()
    expect(nameError(used, SAMPLE, 'mood')).toBeNull()
  })
})

describe('a variable of a setting', () => {
  it('takes the place of an edge, and leaves its value when it goes', () => {
    const driven = {
      ...used,
      edges: [...used.edges, { from: 'ask.output', to: 'paint.n_images' }],
      nodes: sampleFlow().nodes,
    }
    const set = setVariableUse(driven, 'paint', 'n_images', 'count')
    expect(set.edges.some(({ to }) => to === 'paint.n_images')).toBe(false)
    expect(node(placeValue(set, 'paint', 'n_images'), 'paint')).toMatchObject({ settings: { n_images: 3 } })
    expect(node(placeValue(set, 'paint', 'n_images'), 'paint')?.variables).toBeUndefined()
    expect(node(setVariableUse(set, 'paint', 'n_images', undefined), 'paint')?.variables).toBeUndefined()
  })

  it('leaves the node’s other variables when its value is put in place', () => {
    const both = setVariableUse(used, 'paint', 'aspect_ratio', 'tone')
    const placed = node(placeValue(both, 'paint', 'n_images'), 'paint')
    expect(placed?.variables).toEqual({ aspect_ratio: 'tone' })
    expect(placed?.settings.n_images).toBe(3)
  })

  it('that no longer exists leaves the setting as it is', () => {
    const lost = setUses(used, 'paint', { n_images: 'gone' })
    const placed = node(placeValue(lost, 'paint', 'n_images'), 'paint')
    expect(placed?.variables).toBeUndefined()
    expect(placed?.settings).toEqual(node(used, 'paint')?.settings)
  })

  it('is removed with its value in place everywhere', () => {
    const removed = removeVariable(removeVariable(used, SAMPLE, 'tone'), SAMPLE, 'count')
    expect(prompt(removed)).toBe('Be dry, dry, {{mood}}')
    expect(node(removed, 'paint')?.settings.n_images).toBe(3)
    const empty = removeVariable(changeVariable(used, 'tone', { value: '' }), SAMPLE, 'tone')
    expect(prompt(empty)).toBe('Be , calm, {{mood}}')
  })

  it('of an input of an inner agent is put among its inputs', () => {
    const held = sampleFlow({
      nodes: [sampleNode('inner', 'language_model', { settings: { inputs: { b: 1 } } })],
      edges: [],
    })
    const set = setVariableUse(addVariable(held, tone), 'inner', 'inputs.a.text', 'tone')
    expect(node(removeVariable(set, SAMPLE, 'tone'), 'inner')?.settings).toEqual({
      inputs: { b: 1, 'a.text': 'dry' },
    })
  })

  it('fits by type and by the limits of the setting', () => {
    expect(fits({ type: 'integer', maximum: 2 }, count)).toBe(false)
    expect(fits({ type: 'integer', maximum: 4 }, count)).toBe(true)
    expect(fits({ type: 'string' }, count)).toBe(false)
    expect(fits({ type: 'string', enum: ['dry', 'warm'] }, tone)).toBe(true)
    expect(fits({ type: 'string', enum: ['warm'] }, tone)).toBe(false)
  })
})

describe('a swapped node', () => {
  it('keeps the variables that fit its new type', () => {
    const set = setVariableUse(
      setVariableUse(withBoth, 'write', 'system_prompt', 'tone'),
      'write',
      'model',
      'tone',
    )
    const image = SAMPLE.type('image_generation')
    const model = SAMPLE.type('language_model')
    if (!image || !model) throw new Error('no type')
    expect(node(swapType(set, SAMPLE, 'write', image).document, 'write')?.variables).toBeUndefined()
    const prompted = setVariableUse(withBoth, 'ask', 'text', 'tone')
    const back = swapType(setVariableUse(prompted, 'paint', 'n_images', 'count'), SAMPLE, 'paint', model)
    expect(node(back.document, 'paint')?.variables).toBeUndefined()
    expect(node(back.document, 'ask')?.variables).toEqual({ text: 'tone' })
  })

  it('has the values of variables where it is shown, also among the inputs of an inner agent', () => {
    const one = sampleNode('one', 'language_model', {
      settings: { model: 'a', inputs: { x: 1 } },
      variables: { model: 'tone', 'inputs.y': 'count', system_prompt: 'gone' },
    })
    expect(boundNode(one, [tone, count]).settings).toEqual({ model: 'dry', inputs: { x: 1, y: 3 } })
  })
})

describe('copies in another agent', () => {
  const copied = (ids: string[]) =>
    fragmentFromText(fragmentToText(extractWithVariables(used, SAMPLE, new Set(ids)))) as Fragment
  const paste = (flow: FlowDocument, ids = ['write', 'paint']) =>
    pasteWithVariables(flow, SAMPLE, copied(ids), { x: 0, y: 0 }).document
  const empty = sampleFlow({ nodes: [], edges: [] })

  it('bring the variables that they use, and no others', () => {
    expect(paste(empty, ['paint']).variables).toEqual([count])
    expect(paste(empty).variables).toEqual([tone, count])
    expect(paste(empty).format).toBe(2)
    expect(fragmentToText(extractWithVariables(used, SAMPLE, new Set(['ask'])))).toContain('"format": 1')
  })

  it('use the same variable again, and have another name where the value differs', () => {
    const same = paste(addVariable(empty, { ...tone, description: 'Known' }))
    expect(same.variables?.map(({ name }) => name)).toEqual(['tone', 'count'])
    const other = paste(addVariable(empty, { ...tone, value: 'warm' }))
    expect(other.variables?.map(({ name, value }) => [name, value])).toEqual([
      ['tone', 'warm'],
      ['tone_2', 'dry'],
      ['count', 3],
    ])
    expect(prompt(other)).toBe('Be {{tone_2}}, {{tone_2|calm}}, {{mood}}')
  })

  it('do not fill a placeholder of the other agent', () => {
    const open = setSetting(sampleFlow(), 'write', 'system_prompt', '{{count}}')
    const pasted = paste(open, ['paint'])
    expect(pasted.variables?.map(({ name }) => name)).toEqual(['count_2'])
    expect(prompt(pasted)).toBe('{{count}}')
  })

  it('have values in place where there are too many variables', () => {
    const full = Array.from({ length: 100 }, (_, at) => ({ ...tone, name: `v${at}` })).reduce(
      addVariable,
      empty,
    )
    const pasted = paste(full)
    expect(pasted.variables).toHaveLength(100)
    expect(prompt(pasted)).toBe('Be dry, dry, {{mood}}')
  })

  it('have fresh names of words', () => {
    expect(freshName('Aspect ratio', new Set())).toBe('Aspect_ratio')
    expect(freshName('3 posts', new Set(['v_3_posts']))).toBe('v_3_posts_2')
    expect(freshName('…', new Set())).toBe('variable')
  })
})

describe('differences and merges', () => {
  it('name variables, and settings by the variable that sets them', () => {
    const after = setVariableUse(changeVariable(used, 'count', { value: 4 }), 'paint', 'n_images', undefined)
    const changes = diff(used, after)
    expect(changes.variables.changed).toEqual([{ before: count, after: { ...count, value: 4 } }])
    expect(changes.nodes.changed).toEqual([
      { id: 'paint', settings: [{ path: 'n_images', before: '{{count}}', after: undefined }] },
    ])
    const only = diff(used, changeVariable(used, 'count', { value: 4 }))
    expect([describeDiff(only), isEmpty(only)]).toEqual(['1 variable changed', false])
    expect(nodeDifferences(used, used, after)[0]?.parts[0]).toMatchObject({
      kind: 'setting',
      name: 'n_images',
      mine: '{{count}}',
      theirs: undefined,
    })
  })

  it('take each change from the side that made it', () => {
    const mine = changeVariable(used, 'tone', { value: 'warm' })
    const theirs = addVariable(setVariableUse(used, 'paint', 'n_images', undefined), {
      ...tone,
      name: 'accent',
    })
    const joined = merge(used, mine, theirs)
    expect(joined.variables?.map(({ name, value }) => [name, value])).toEqual([
      ['tone', 'warm'],
      ['count', 3],
      ['accent', 'dry'],
    ])
    expect(node(joined, 'paint')?.variables).toBeUndefined()
  })

  it('keep a variable that one side removed and the other changed, or began to use', () => {
    const removed = removeVariable(used, SAMPLE, 'tone')
    expect(merge(used, removed, used).variables).toEqual([count])
    expect(merge(used, removed, changeVariable(used, 'tone', { value: 'x' })).variables).toHaveLength(2)
    const uses = setVariableUse(used, 'write', 'model', 'tone')
    expect(findVariable(merge(used, removed, uses), 'tone')).toEqual(tone)
    expect(findVariable(merge(used, uses, removed), 'tone')).toEqual(tone)
  })
})

describe('the list of variables', () => {
  const three = addVariable(withBoth, { name: 'mood', type: 'Text', value: 'calm' })
  const names = (flow: FlowDocument) => flow.variables?.map(({ name }) => name)

  it.each([
    ['tone', 1, ['count', 'tone', 'mood']],
    ['count', -1, ['count', 'tone', 'mood']],
    ['count', 1, ['tone', 'mood', 'count']],
    ['mood', -1, ['tone', 'mood', 'count']],
  ] as const)('moves %s by %d', (name, by, order) => {
    expect(names(moveVariable(three, name, by))).toEqual(order)
  })

  it.each([
    ['tone', -1],
    ['mood', 1],
    ['missing', 1],
    ['missing', -1],
  ] as const)('stays the same if %s cannot move by %d', (name, by) => {
    expect(moveVariable(three, name, by)).toBe(three)
  })

  it('has at most MAX_VARIABLES variables, each name once', () => {
    const all = Array.from({ length: MAX_VARIABLES }, (_, at) => ({ ...tone, name: `v${at}` }))
    const full = { ...sampleFlow(), variables: all }
    expect(addVariable(full, tone)).toBe(full)
    expect(names(addVariable({ ...full, variables: all.slice(1) }, tone))).toHaveLength(MAX_VARIABLES)
    expect(addVariable(withBoth, { ...tone, value: 'wet' })).toBe(withBoth)
  })

  it('stays the same if the new name is taken or the variable is missing', () => {
    for (const [from, to] of [
      ['tone', 'tone'],
      ['tone', 'count'],
      ['missing', 'other'],
    ] as const)
      expect(renameVariable(withBoth, SAMPLE, from, to)).toBe(withBoth)
    expect(removeVariable(withBoth, SAMPLE, 'missing')).toBe(withBoth)
    expect(changeVariable(withBoth, 'missing', { value: 'x' })).toBe(withBoth)
  })
})
