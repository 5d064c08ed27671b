import { expect, test } from 'vitest'
import type { Problem } from '@/document/backend'
import { Catalog, type NodeType } from '@/graph/catalog'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { problemHint, problemTitle } from './problem-text'

const agentType = { ...(SAMPLE.types[0] as NodeType), id: 'agent', title: 'Agent', subflow: 'flow' }
const catalog = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.types, agentType] })
const texts = (problem: Partial<Problem>) => {
  const t = i18n.getFixedT('en', 'canvas')
  const whole = { severity: 'error', message: '', ...problem } as Problem
  const flow = sampleFlow({
    nodes: [...sampleFlow().nodes, sampleNode('cut', 'join_clips'), sampleNode('sub', 'agent')],
  })
  return [problemTitle(whole, flow, catalog, t), problemHint(whole, flow, catalog, t)]
}

test('a setting with a wrong value is called by its title, with the reason and without its path', () => {
  const problem = {
    code: 'bad_setting',
    node: 'write',
    setting: 'system_prompt',
    message:
      "The setting 'system_prompt' of node 'write' is wrong: expected text, got a list (at $.system_prompt).",
    hint: 'Change $.system_prompt.',
  }
  expect(texts(problem)).toEqual(['Text has a value that it does not take', 'Expected text, got a list'])
})

test('an input without a connection says what it takes, without the name of the type in the engine', () => {
  const problem = {
    code: 'required_input',
    node: 'cut',
    port: 'clips',
    hint: 'Connect an output that gives list[Video].',
  }
  expect(texts(problem)).toEqual(['Clips is not connected', 'Connect an output that gives: Videos.'])
})

test('other problems keep the words of the server', () => {
  const problem = {
    code: 'missing_credential',
    node: 'write',
    message: 'OpenAI needs a key.',
    hint: 'Add one.',
  }
  expect(texts(problem)).toEqual(['OpenAI needs a key.', 'Add one.'])
})

test('an agent that runs itself, and a node without an agent, are named without ids', () => {
  const id = '01a21511-09f0-7092-b04e-666f64e3e4c2'
  const hint = 'Choose an agent to run here, other than this one.'
  const circle = { code: 'self_containing', node: 'sub', message: `The flow contains itself: ${id} → ${id}.` }
  expect(texts(circle)).toEqual(['The agent would run itself', hint])
  const none = {
    code: 'bad_setting',
    node: 'sub',
    setting: 'flow',
    message: "Node 'sub' runs another flow: choose which.",
  }
  expect(texts(none)).toEqual(['No agent is chosen', hint])
})

test('a setting with a sentence of its own keeps it', () => {
  const message = 'Case 1 has no name.'
  const problem = { code: 'bad_setting', node: 'write', setting: 'system_prompt', message, hint: 'Name it.' }
  expect(texts(problem)).toEqual([message, 'Name it.'])
})
