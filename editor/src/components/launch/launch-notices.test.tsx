// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { expect, it, vi } from 'vitest'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import LaunchNotices from './launch-notices'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, hash, children }: { to: string; hash: string; children: ReactNode }) => (
    <a href={`${to}#${hash}`}>{children}</a>
  ),
}))

const VOICE = {
  code: 'voice_language',
  message: 'The voice on this computer speaks English only, and the text is in German.',
  hint: 'Connect a voice under Account > Provider keys.',
}
const COUNT = {
  code: 'image_count',
  message: 'The brief asks for 6 images, and this step makes 4.',
  hint: "Change 'Number of images' in the agent.",
}

it('says what the launch will not do, with the way to the provider keys', () => {
  render(
    <I18nextProvider i18n={i18n}>
      <LaunchNotices notices={[VOICE, COUNT]} />
    </I18nextProvider>,
  )
  const [voice, count] = screen.getAllByRole('listitem')
  expect(voice?.textContent).toBe(`${VOICE.message} Connect a model`)
  expect(screen.getByRole('link').getAttribute('href')).toBe('/account#provider-keys')
  expect(count?.textContent).toBe(`${COUNT.message} ${COUNT.hint}`)
})
