// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createElement, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { createVersion, undoVersion } from '@/lib/api/asset-versions'
import type { Asset } from '@/lib/api/assets'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { useNewestVersion } from './use-newest-version'

const backend = startBackend()
const image = (id: string) => ({ id, kind: 'image', name: id }) as Asset

it('follows an image of the library as versions are made and undone', async () => {
  let versions = ['v1', 'v2']
  const has = (id: unknown) => versions.includes(String(id))
  const missing = () => HttpResponse.json({ code: 'not_found' }, { status: 404 })
  backend.use(
    http.get('*/assets/:id/versions', ({ params }) =>
      has(params.id) ? HttpResponse.json({ items: versions.map(image) }) : missing(),
    ),
    http.get('*/assets/:id', ({ params }) =>
      has(params.id) ? HttpResponse.json(image(String(params.id))) : missing(),
    ),
    http.post('*/assets/:id/versions', () => {
      versions = [...versions, 'v3']
      return HttpResponse.json(image('v3'), { status: 201 })
    }),
    http.delete('*/assets/:id', ({ params }) => {
      versions = versions.filter((id) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children)
  const { result } = renderHook(() => useNewestVersion(image('v2')), { wrapper })
  expect(result.current?.id).toBe('v2')
  await act(() => createVersion('v2', { restore: 'v1' }, 'key'))
  await waitFor(() => expect(result.current?.id).toBe('v3'))
  await act(() => undoVersion('v3'))
  await act(() => undoVersion('v2'))
  await waitFor(() => expect(result.current?.id).toBe('v1'))
})
