// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, it, vi } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { seekTo, Waveform } from './waveform'

const player = vi.hoisted(() => {
  const heard = new Map<string, () => void>()
  return {
    tell: (what: string) => heard.get(what)?.(),
    on: (what: string, then: () => void) => heard.set(what, then),
    play: vi.fn(),
    playPause: vi.fn(),
    setOptions: () => undefined,
    destroy: () => undefined,
  }
})
const create = vi.hoisted(() => vi.fn(() => player))
vi.mock('wavesurfer.js', () => ({ default: { create } }))

const press = () => userEvent.click(screen.getByRole('button', { name: 'Play Voice' }))

async function show() {
  render(
    <I18nextProvider i18n={i18n}>
      <TooltipProvider>
        <Waveform src="/voice.wav" title="Voice" />
      </TooltipProvider>
    </I18nextProvider>,
  )
  await expect.poll(() => create).toHaveBeenCalled()
}

beforeEach(() => {
  for (const called of [player.play, player.playPause]) called.mockReset()
  create.mockReset().mockReturnValue(player)
})

it('plays after loading if Play was pressed during it', async () => {
  await show()
  await press()
  expect(player.playPause).not.toHaveBeenCalled()
  act(() => player.tell('ready'))
  expect(player.play).toHaveBeenCalledOnce()
  await press()
  expect(player.playPause).toHaveBeenCalledOnce()
})

it('plays nothing if Play was cancelled during loading', async () => {
  await show()
  await press()
  await press()
  act(() => player.tell('ready'))
  expect(player.play).not.toHaveBeenCalled()
})

it.each([
  ['ArrowRight', 2, 7],
  ['ArrowUp', 2, 7],
  ['ArrowLeft', 9, 4],
  ['ArrowLeft', 2, 0],
  ['ArrowRight', 8, 10],
  ['Home', 8, 0],
  ['End', 1, 10],
  ['Enter', 1, null],
])('%s seeks in audio of 10 s from %d to %s', (key, at, to) => expect(seekTo(key, at, 10)).toBe(to))
