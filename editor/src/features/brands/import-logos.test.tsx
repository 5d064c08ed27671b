// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import '@/lib/i18n/brands'
import type { BrandFinding } from '@/lib/api/brand-imports'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import ImportDialog from './import-dialog'

const backend = startBackend()
afterEach(() => queryClient.clear())

function logo(value: string, role: 'light' | 'dark', suggested = true): BrandFinding {
  const found = `header of ${role}`
  return {
    field: 'logo',
    value: `data:image/png;base64,${value}`,
    role,
    name: '',
    found,
    suggested,
    font_file: null,
  }
}

/** Reads a website with logos, and approves what is ticked. Returns the uploads and what was to be saved. */
async function importLogos(findings: readonly BrandFinding[]) {
  const uploads: (string | null)[] = []
  backend.use(
    http.get('*', () => new HttpResponse(null, { status: 404 })),
    http.post('*/brands/import/website', () =>
      HttpResponse.json({ source: 'praxis.example', findings, notes: [] }),
    ),
    http.post('*/api/v1/assets/', ({ request }) => {
      uploads.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.json({ id: `asset-${uploads.length}` }, { status: 201 })
    }),
  )
  const onApprove = vi
    .fn()
    .mockRejectedValueOnce(new Error('The brand could not be saved.'))
    .mockResolvedValue(null)
  renderPage(() => (
    <ImportDialog
      source="website"
      brand={{ name: 'Praxis' }}
      isNew={false}
      onApprove={onApprove}
      onClose={() => {}}
    />
  ))
  await userEvent.type(await screen.findByLabelText(/Address of the website/), 'praxis.example{Enter}')
  const approve = await screen.findByRole('button', { name: /Add|Take|Create|Save/ })
  await userEvent.click(approve)
  await waitFor(() => expect(onApprove).toHaveBeenCalledTimes(1))
  return { uploads, onApprove, approve }
}

test('logos are uploaded once, also when saving the brand is tried again, and set for their grounds', async () => {
  const { uploads, onApprove, approve } = await importLogos([logo('AAAA', 'light'), logo('BBBB', 'dark')])
  await screen.findByText('The brand was not saved.')
  await userEvent.click(approve)
  await waitFor(() => expect(onApprove).toHaveBeenCalledTimes(2))
  expect(uploads).toHaveLength(2)
  for (const [brand] of onApprove.mock.calls)
    expect(brand.logo).toEqual({ light: 'asset-1', dark: 'asset-2' })
})

test('a logo that is not ticked is not uploaded', async () => {
  const { uploads, onApprove } = await importLogos([logo('AAAA', 'light'), logo('BBBB', 'dark', false)])
  expect(uploads).toHaveLength(1)
  expect(onApprove.mock.calls[0]?.[0].logo).toEqual({ light: 'asset-1' })
})
