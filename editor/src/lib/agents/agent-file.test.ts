// @vitest-environment jsdom
import { expect, it } from 'vitest'
import '../i18n/signed-in'
import { InvalidAgentFileError, importAgent, namesOf } from './agent-file'

// jsdom's File has no text(); this reads the same content as a browser.
function file(text: string, size = text.length): File {
  const made = new File([text], 'agent.json', { type: 'application/json' })
  Object.defineProperties(made, { size: { value: size }, text: { value: () => Promise.resolve(text) } })
  return made
}

it.each([
  ['not json', undefined, 'not_json'],
  ['[1]', undefined, 'not_json'],
  ['null', undefined, 'not_json'],
  ['{}', 3 * 1024 * 1024, 'too_big'],
] as const)('refuses %s with a message', async (text, size, reason) => {
  const refused = importAgent(file(text, size))
  await expect(refused).rejects.toMatchObject({ reason, file: 'agent.json' })
  await expect(refused).rejects.toBeInstanceOf(InvalidAgentFileError)
})

it('names what is missing, and the nodes that use it', () => {
  expect(namesOf([{ kind: 'file', name: 'cup.png', nodes: ['Product', 'Logo'] }])).toBe(
    'cup.png (Product, Logo)',
  )
  expect(namesOf([{ kind: 'brand', name: '', nodes: [] }])).toBe('A brand')
})

it('names at most five parts', () => {
  const part = { kind: 'file', name: 'a.png', nodes: [] } as const
  expect(namesOf(Array.from({ length: 6 }, () => ({ ...part, nodes: [] })))).toMatch(/(a\.png; ){5}…$/)
})
