// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import events from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { AgentCombobox } from './agent-combobox'
import { OwnAgent } from './own-agent'

const backend = startBackend()
const user = events.setup({ delay: null })

beforeEach(() => {
  queryClient.clear()
  const items = ['Menu', 'Poster'].map((name) => ({ id: name.toLowerCase(), name, kinds: [] }))
  backend.use(http.get('*/flows/', () => HttpResponse.json({ items, next_cursor: null })))
})

it('does not offer the agent that is edited, which would run itself', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <OwnAgent value="menu">
        <AgentCombobox aria-label="Agent" value="" onValueChange={vi.fn()} />
      </OwnAgent>
    </QueryClientProvider>,
  )
  await user.click(screen.getByRole('combobox', { name: 'Agent' }))
  expect(await screen.findByRole('option', { name: 'Poster' })).toBeVisible()
  expect(screen.queryByRole('option', { name: 'Menu' })).toBeNull()
})
