// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { sendInTurn } from './uploads'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('sends three files at once and the others in their order', async () => {
  const gates = Array.from({ length: 6 }, gate)
  const started: number[] = []
  const sent = gates.map(({ opened }, at) =>
    sendInTurn(async () => {
      started.push(at)
      await opened
      return at
    }),
  )
  expect(started).toEqual([0, 1, 2])
  gates[1]?.open()
  await sent[1]
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2, 3])
  for (const { open } of gates) open()
  expect(await Promise.all(sent)).toEqual([0, 1, 2, 3, 4, 5])
})

test('a file that could not be sent makes room for the next', async () => {
  const refused = () => Promise.reject(new Error('refused'))
  await Promise.allSettled([sendInTurn(refused), sendInTurn(refused), sendInTurn(refused)])
  const held = gate()
  const started: number[] = []
  const sent = [0, 1, 2].map((at) =>
    sendInTurn(async () => {
      started.push(at)
      await held.opened
    }),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2])
  held.open()
  await Promise.all(sent)
})
