import { expect, test } from 'vitest'
import type { Problem } from '@/document/backend'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { problemHint, problemTitle } from './problem-text'

const texts = (problem: Partial<Problem>) => {
  const t = i18n.getFixedT('en', 'canvas')
  const whole = { severity: 'error', message: '', ...problem } as Problem
  const flow = sampleFlow({ nodes: [...sampleFlow().nodes, sampleNode('cut', 'join_clips')] })
  return [problemTitle(whole, flow, SAMPLE, t), problemHint(whole, flow, SAMPLE, t)]
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
