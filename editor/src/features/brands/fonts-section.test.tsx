// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/brands'
import type { BrandDetail } from '@/lib/api/brand-edits'
import { queryClient } from '@/lib/query-client'
import { FontsSection } from './fonts-section'

afterEach(() => queryClient.clear())

test('a font that comes with the server shows its letters below the choice', () => {
  const sample = 'data:image/png;base64,AAAA'
  queryClient.setQueryData(['nodes', 'brand_system', 'options', 'fonts', ''], {
    items: [
      { value: 'Manrope', label: 'Manrope', sample },
      { value: 'Plain', label: 'Plain', sample: null },
    ],
    sources: [],
  })
  const content = {
    name: 'Acme',
    fonts: [
      { family: 'Manrope', role: 'headline' as const },
      { family: 'Plain', role: 'text' as const },
    ],
  }
  render(
    <QueryClientProvider client={queryClient}>
      <FontsSection
        brand={{ font_urls: {} } as unknown as BrandDetail}
        content={content}
        onChange={() => {}}
        readOnly={false}
      />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('img', { name: 'Letters of Manrope' }).getAttribute('src')).toBe(sample)
  expect(screen.queryByRole('img', { name: 'Letters of Plain' })).toBeNull()
})
