// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderPage } from '@/test/render-page'
import { Button } from './button'

test.each([true, false])('a button that is busy: %s', async (busy) => {
  const pressed = vi.fn()
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  renderPage(() => (
    <form onSubmit={submitted}>
      <input aria-label="Name" />
      <Button type="submit" busy={busy} onClick={pressed}>
        Create
      </Button>
    </form>
  ))
  await userEvent.type(await screen.findByLabelText('Name'), '{Enter}')
  screen.getByRole('button').focus()
  await userEvent.keyboard(' ')
  expect(submitted).toHaveBeenCalledTimes(busy ? 0 : 2)
  expect(pressed).toHaveBeenCalledTimes(busy ? 0 : 2)
})
