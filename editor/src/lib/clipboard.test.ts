// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { copyText } from './clipboard'
import { useToasts } from './toasts'

const shown = () => useToasts.getState().toasts[0]

it('says that a text was copied, or that the browser blocked it', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await copyText('#night')
  expect(writeText).toHaveBeenCalledWith('#night')
  expect(shown()).toMatchObject({ title: 'Copied', tone: 'success' })
  // Browsers have no clipboard on pages without a secure connection.
  vi.stubGlobal('navigator', {})
  await copyText('#night')
  expect(shown()).toMatchObject({ title: 'The browser blocked copying.', tone: 'error' })
  vi.unstubAllGlobals()
})
