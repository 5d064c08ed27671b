// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { uploadAsset } from '../api/uploads'
import { useUploads } from './use-uploads'

vi.mock('../api/uploads')
vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
afterEach(() => void vi.resetAllMocks())

test('a removed file is stopped, and the others keep their order', async () => {
  const finish: (() => void)[] = []
  vi.mocked(uploadAsset).mockImplementation(
    ({ name }) => new Promise((done) => finish.push(() => done({ id: name } as never))),
  )
  const { result } = renderHook(() => useUploads())
  const files = Array.from({ length: 6 }, (_, index) => new File(['x'], `p${index}`, { type: 'image/png' }))
  act(() => result.current.add(files))
  await vi.waitFor(() => expect(finish).toHaveLength(6))
  act(() => result.current.remove(result.current.items[4]?.key ?? ''))
  expect(vi.mocked(uploadAsset).mock.calls.map(([, options]) => options?.signal?.aborted)).toEqual([
    ...[false, false, false, false],
    ...[true, false],
  ])
  await act(async () => {
    for (const each of finish) each()
  })
  expect(result.current.assetIds).toEqual(['p0', 'p1', 'p2', 'p3', 'p5'])
})
