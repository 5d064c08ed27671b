import { expect, test } from 'vitest'
import { valueErrorText } from '@/components/setting/value-error-text'
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
  const inspector = i18n.getFixedT('en', 'inspector')
  const hint = problemHint(whole, flow, catalog, t, (error) =>
    error ? valueErrorText(error, inspector) : undefined,
  )
  return [problemTitle(whole, flow, catalog, t), hint]
}

const bad = {
  code: 'bad_setting',
  node: 'write',
  setting: 'system_prompt',
  message: "The setting 'system_prompt' of node 'write' is wrong.",
  hint: 'Change $.system_prompt.',
}

test('a setting with a wrong value is called by its title, with the reason in the words of the editor', () => {
  const parameters = { expected: 'text', found: 'list' }
  const reason = { code: 'wrong_type', text: 'expected text, got a list', parameters }
  const title = 'Text has a value that it does not take'
  expect(texts({ ...bad, reason })).toEqual([title, 'Enter text.'])
  expect(texts({ ...bad, setting: 'system_prompt[1]', reason })).toEqual([title, 'Item 2: Enter text.'])
  const short = { code: 'too_short', text: 'must have a length of at least 2', parameters: { count: 2 } }
  expect(texts({ ...bad, reason: short })).toEqual([title, 'At least 2 characters.'])
})

test('a reason that the editor does not know has the words of the server', () => {
  const reason = { code: 'other', text: 'invalid date' }
  expect(texts({ ...bad, reason })[1]).toBe('Invalid date.')
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

test('problems of the structure call nodes, ports and types by their titles', () => {
  const unknown = {
    code: 'unknown_type',
    node: 'write',
    message: "Node 'write' is of an unknown type 'kiln_chapter'.",
  }
  expect(texts(unknown)[0]).toBe('Language model is of a type that is not installed')
  const circle = {
    code: 'cycle',
    node: 'write',
    message: 'These nodes wait for each other: write → cut → write.',
  }
  expect(texts(circle)[0]).toBe('Language model waits for its own result')
  const wrong = {
    code: 'wrong_type',
    node: 'cut',
    port: 'clips',
    message: "Type mismatch: Text cannot be used as list[Video], from 'write.output' to 'cut.clips'.",
    hint: 'Text can also be used as Boolean, Integer, Json.',
  }
  expect(texts(wrong)).toEqual([
    'What is connected to Clips does not fit',
    'Connect an output that gives: Videos.',
  ])
  expect(texts({ code: 'two_edges', node: 'cut', port: 'clips' })[0]).toBe(
    'Clips takes one connection and has several',
  )
  const setting = {
    code: 'unknown_setting',
    node: 'write',
    setting: 'tone',
    hint: 'It has: provider, model.',
  }
  expect(texts(setting)[0]).toBe('Language model has no setting tone')
  const port = { code: 'unknown_port', node: 'write', port: 'outptu', hint: 'It has: output, reasoning.' }
  expect(texts(port)[0]).toBe('Language model has no port outptu')
  const plugin = {
    code: 'missing_plugin',
    node: 'cut',
    message: "Node 'cut' needs the plugin 'kiln', which is not installed.",
  }
  expect(texts(plugin)[0]).toBe("Join clips needs the plugin 'kiln', which is not installed.")
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
