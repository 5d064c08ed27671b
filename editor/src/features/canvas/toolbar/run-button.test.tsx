// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { TooltipProvider } from '@/components/tooltip'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { createViewStore } from '@/document/view-store'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { RunButton } from './run-button'

vi.mock('../run/run-menu', () => ({ RunMenu: () => <p>The list of notices</p> }))

const VOICE = { code: 'voice_language', message: 'The voice speaks English only.', hint: 'Connect a voice.' }
const FONT = { code: 'missing_font', message: 'No font has these letters.', hint: 'Add a font.' }

function mount(notices: readonly unknown[], nodes: readonly unknown[] = [{ id: 'ask' }]) {
  const session = {
    flow: { store: createStore(() => ({ document: { nodes } })) },
    view: createViewStore({}),
    checker: { store: createStore(() => ({ estimate: { usd: '0', seconds: 3, notices } })) },
    runner: {
      store: createStore(() => ({ busy: null, run: null })),
      live: createStore(() => ({ status: 'pending' })),
    },
  }
  render(
    <SessionContext value={session as unknown as Session}>
      <TooltipProvider>
        <RunButton own />
      </TooltipProvider>
    </SessionContext>,
  )
}

test('says beside Run how many things a run will not do as asked, and lists them on press', async () => {
  mount([VOICE, FONT])
  expect(screen.getByRole('button', { name: 'Run' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '2 notices before you start' }))
  expect(await screen.findByText('The list of notices')).toBeVisible()
})

test('shows nothing beside Run if a run does everything as asked', () => {
  mount([])
  expect(screen.queryByRole('button', { name: /before you start/ })).toBeNull()
})

test('an agent without nodes does not run', () => {
  mount([], [])
  expect(screen.getByRole('button', { name: 'Run' })).toBeDisabled()
})
