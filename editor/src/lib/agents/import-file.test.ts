import { expect, it } from 'vitest'
import { InvalidFlowFileError, readFlowFile } from './import-file'

// jsdom's File has no text(); this reads the same content as a browser.
function file(text: string, size = text.length): File {
  const made = new File([text], 'agent.json', { type: 'application/json' })
  Object.defineProperties(made, { size: { value: size }, text: { value: () => Promise.resolve(text) } })
  return made
}

it('reads the document of an agent', async () => {
  await expect(readFlowFile(file('{"format": 1}'))).resolves.toEqual({ format: 1 })
})

it.each([
  ['not json', undefined, 'not_json'],
  ['[1]', undefined, 'not_json'],
  ['null', undefined, 'not_json'],
  ['{}', 3 * 1024 * 1024, 'too_big'],
] as const)('refuses %s with a message', async (text, size, reason) => {
  await expect(readFlowFile(file(text, size))).rejects.toMatchObject({ reason, file: 'agent.json' })
  await expect(readFlowFile(file(text, size))).rejects.toBeInstanceOf(InvalidFlowFileError)
})
