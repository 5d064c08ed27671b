// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import '@/lib/i18n/editor'
import type { PluginDeclaration } from '@/graph/catalog'
import { PluginCapabilities } from './plugin-capabilities'

const NOTHING: PluginDeclaration = {
  network: [],
  subprocess: false,
  files: { read: [], write: [] },
  environment: [],
}

function sentences(capabilities: PluginDeclaration | null) {
  const { unmount } = render(
    <PluginCapabilities plugin={{ package: 'acme', version: '1.0', capabilities }} />,
  )
  const found = screen.queryAllByRole('listitem').map((item) => item.textContent)
  unmount()
  return found
}

it('says what a plugin declares', () => {
  expect(
    sentences({
      network: ['api.example.com', '*.example.org'],
      subprocess: true,
      files: { read: ['/usr/share/fonts'], write: ['/srv/out'] },
      environment: ['ACME_REGION'],
    }),
  ).toEqual([
    'Connects to api.example.com, *.example.org.',
    'Starts other programs.',
    'Reads /usr/share/fonts.',
    'Reads and writes /srv/out.',
    'Reads the environment variables ACME_REGION.',
  ])
})

it('says what a plugin does not need', () => {
  expect(sentences(NOTHING)).toEqual([
    'Uses no network.',
    'Starts no other programs.',
    'Uses no files besides its own.',
    'Reads no environment variables.',
  ])
  expect(sentences({ ...NOTHING, network: ['*'] })[0]).toBe('Connects to any host.')
})

it('tells an undeclared plugin from one that needs nothing', () => {
  render(<PluginCapabilities plugin={{ package: 'acme', version: '1.0', capabilities: null }} />)
  screen.getByText('This plugin does not declare what it needs.')
})
