// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'
import type { Asset } from '@/lib/api/assets'
import { type NodesAnswer, nodesQuery } from '@/lib/api/nodes'
import type { Run } from '@/lib/api/runs'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/runs'
import '@/lib/i18n/signed-in'
import { queryClient } from '@/lib/query-client'
import { emptyStep } from '@/lib/run/step'
import { TileProvenance } from './tile-provenance'

const run = {
  ...{ id: 'r', flow_id: null, flow_name: 'Poster', version: 'draft', inputs: {}, flow: {}, brands: [] },
  created_at: '2026-11-22T08:00:00Z',
} as unknown as Run

it('names an installed provider as the server lists it, and any other by its id', () => {
  queryClient.setQueryData(nodesQuery().queryKey, {
    providers: [{ id: 'forge_works', title: 'The Forge' }],
  } as NodesAnswer)
  for (const provider of ['forge_works', 'gone_works']) {
    const step = { ...emptyStep('draw'), title: 'Draw', madeBy: { provider, model: 'm/anvil-2' } }
    render(
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <TileProvenance run={run} step={step} asset={undefined} images={[]} />
        </QueryClientProvider>
      </I18nextProvider>,
    )
  }
  expect(screen.getAllByText('anvil-2')).toHaveLength(2)
  expect(screen.getByText('The Forge')).toBeInTheDocument()
  expect(screen.getByText('Gone works')).toBeInTheDocument()
})

it('names the product image, the brand and the settings', () => {
  const settings = { style: 'swiss', headline: 'Night walks' }
  const step = { ...emptyStep('draw'), title: 'Draw', madeBy: { provider: 'local', settings } }
  const brands = [{ brand_id: 'b', version: 3, name: 'Northbound Coffee', input: null }]
  const product = { id: 'p', name: 'jug.png', url: '/jug.png', thumbnail_url: null } as Asset
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TileProvenance run={{ ...run, brands }} step={step} asset={undefined} images={[product]} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  expect(screen.getByRole('img', { name: 'jug.png' })).toBeInTheDocument()
  expect(screen.getByText('Northbound Coffee, version 3')).toBeInTheDocument()
  expect(screen.getByText(/Style: Swiss\s+Headline: Night walks/)).toBeInTheDocument()
})
