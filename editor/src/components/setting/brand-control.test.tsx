// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import '@/lib/i18n/editor'
import { brandsQuery } from '@/lib/api/brands'
import { BrandControl } from './brand-control'

function shown(value: unknown) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  client.setQueryData(brandsQuery.queryKey, [
    {
      ...{ id: 'fjell', version: 3, example: false, is_default: true, revision: 1, changes: 0, logo: null },
      ...{ agents: 0, created_at: '', updated_at: '', content: { name: 'Fjell', colors: [] } },
    } as never,
  ])
  client.setQueryData(['brands', 'versions', 'fjell'], { items: [{ number: 3 }, { number: 2 }] })
  const field = { name: 'brand', title: 'Brand', schema: { type: 'object' } } as never
  render(
    <QueryClientProvider client={client}>
      <BrandControl field={field} typeId="brand_system" value={value} onChange={vi.fn()} onSettle={vi.fn()} />
    </QueryClientProvider>,
  )
}

test('a saved brand is shown by its name, with the version that it follows', () => {
  shown({ saved: 'fjell' })
  expect(screen.getByRole('combobox', { name: 'Brand' })).toHaveTextContent('Fjell')
  expect(screen.getByRole('combobox', { name: 'Version' })).toHaveTextContent('Newest published')
})

test('a pinned version is shown by its number', () => {
  shown({ saved: 'fjell@2' })
  expect(screen.getByRole('combobox', { name: 'Version' })).toHaveTextContent('Version 2')
})

test('a brand that was deleted is said to be gone, and has no version', () => {
  shown({ saved: 'deleted@2' })
  const picker = screen.getByRole('combobox', { name: 'Brand' })
  expect(picker).toBeInvalid()
  expect(picker).toHaveAccessibleDescription(/deleted, or it is not yours/)
  expect(screen.queryByRole('combobox', { name: 'Version' })).toBeNull()
})

test('without a saved brand, the settings of the node apply', () => {
  shown(null)
  expect(screen.getByRole('combobox', { name: 'Brand' })).toHaveTextContent('The settings of this node')
})
