// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import events from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, it, vi } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { AgentChooser } from './agent-chooser'

const backend = startBackend()
const user = events.setup({ delay: null })
const COUNT = 100
const AGENTS = Array.from({ length: COUNT }, (_, index) => ({
  id: `agent-${index}`,
  name: `Agent ${index}`,
  description: '',
  kinds: [],
  avatar_url: null,
  mine: false,
  beta: false,
  permissions: { edit: false },
}))

let asked: URLSearchParams[] = []
let reachEnd: (() => void) | undefined

class ScrollObserver {
  constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
    reachEnd = () => onChange([{ isIntersecting: true }])
  }
  observe() {}
  disconnect() {
    reachEnd = undefined
  }
}

beforeEach(() => {
  queryClient.clear()
  asked = []
  vi.stubGlobal('IntersectionObserver', ScrollObserver)
  backend.use(
    http.get('*/flows/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const found = AGENTS.filter(({ name }) => name.includes(query.get('q') ?? ''))
      const start = Number(query.get('cursor') ?? 0)
      const end = start + Number(query.get('limit'))
      return HttpResponse.json({
        items: found.slice(start, end),
        next_cursor: end < found.length ? String(end) : null,
      })
    }),
  )
})

function Chooser() {
  const [chosen, setChosen] = useState<string | null>('agent-0')
  return <AgentChooser chosen={chosen} onChoose={setChosen} tab="product" onTab={() => undefined} />
}

async function show() {
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Chooser />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>,
  )
  await screen.findByText('Agent 0')
}

const shown = () => document.querySelectorAll('[role=radio]').length

it('loads a page at a time, by the button and when the end of the list is near', async () => {
  await show()
  expect(shown()).toBeLessThan(COUNT / 2)
  await user.click(screen.getByText('Show more'))
  await screen.findByText('Agent 60')
  expect(shown()).toBeLessThan(COUNT)
  act(() => reachEnd?.())
  await screen.findByText(`Agent ${COUNT - 1}`)
  expect(shown()).toBe(COUNT)
  expect(screen.queryByText('Show more')).toBeNull()
  expect(asked.every((query) => query.get('limit') !== null)).toBe(true)
})

it('keeps the focus at the end of the list when its last page has been loaded by keyboard', async () => {
  await show()
  const button = () => screen.getByRole('button', { name: 'Show more' })
  button().focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Agent 60')
  button().focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Agent 99')
  await waitFor(() => expect(document.activeElement?.textContent).toBe(''))
})

it('searches on the server', async () => {
  await show()
  await user.type(screen.getByRole('searchbox', { name: 'Search agents' }), '97')
  await waitFor(() => expect(shown()).toBe(1))
  expect(screen.getByRole('radio', { name: 'Agent 97' })).toBeTruthy()
})

it('offers to load the rest again after a failure, and does not repeat it by itself', async () => {
  await show()
  let failures = 0
  backend.use(
    http.get('*/flows/', () => {
      failures += 1
      return HttpResponse.json({ detail: 'No', code: 'forbidden' }, { status: 403 })
    }),
  )
  act(() => reachEnd?.())
  await screen.findByRole('alert')
  expect(reachEnd).toBeUndefined()
  expect(failures).toBe(1)
  backend.resetHandlers()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
