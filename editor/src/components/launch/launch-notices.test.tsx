// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { expect, it, vi } from 'vitest'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { fieldsOf } from '@/lib/launch/fields'
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
      <LaunchNotices notices={[VOICE, COUNT]} fields={[]} onChange={vi.fn()} />
    </I18nextProvider>,
  )
  const [voice, count] = screen.getAllByRole('listitem')
  expect(voice?.textContent).toBe(`${VOICE.message} Connect a model`)
  expect(screen.getByRole('link').getAttribute('href')).toBe('/account#provider-keys')
  expect(count?.textContent).toBe(`${COUNT.message} ${COUNT.hint}`)
})

it('offers what the brief asks for as a chip, if the agent lets launchers set it', () => {
  const hero = { 'x-node': 'image_generation', 'x-group': 'Hero images', 'x-type': 'Integer' }
  const fields = fieldsOf({
    properties: {
      'hero.n_images': { ...hero, type: 'integer', maximum: 6, default: 3, 'x-setting': 'n_images' },
      'hero.aspect_ratio': { ...hero, type: 'string', enum: ['1:1', '4:5'], 'x-setting': 'aspect_ratio' },
    },
  })
  const asks = (settings: Record<string, unknown>) => ({ ...COUNT, step: 'hero', settings })
  const frames = { ...asks({ n_images: 6 }), step: 'frames' }
  const change = vi.fn()
  const { rerender } = render(
    <I18nextProvider i18n={i18n}>
      <LaunchNotices
        notices={[asks({ n_images: 6 }), asks({ aspect_ratio: '1:1' }), frames]}
        fields={fields}
        onChange={change}
      />
    </I18nextProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Set Hero images to 6 images, 1:1' }))
  expect(change.mock.calls.map(([field, value]) => [field.id, value])).toEqual([
    ['hero.n_images', 6],
    ['hero.aspect_ratio', '1:1'],
  ])
  expect(screen.queryByRole('listitem')).toBeNull()
  rerender(
    <I18nextProvider i18n={i18n}>
      <LaunchNotices notices={[asks({ n_images: 9 })]} fields={fields} onChange={change} />
    </I18nextProvider>,
  )
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('listitem').textContent).toContain(COUNT.hint)
})
