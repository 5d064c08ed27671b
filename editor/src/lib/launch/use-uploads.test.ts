// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { uploadAsset } from '../api/uploads'
import { useUploads } from './use-uploads'

vi.mock('../api/uploads')
vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
afterEach(() => void vi.resetAllMocks())

test('at most four files are sent at once, and a waiting one that was removed is not sent', async () => {
  const finish: (() => void)[] = []
  vi.mocked(uploadAsset).mockImplementation(
    ({ name }) => new Promise((done) => finish.push(() => done({ id: name } as never))),
  )
  const { result } = renderHook(() => useUploads())
  const files = Array.from({ length: 6 }, (_, index) => new File(['x'], `p${index}`, { type: 'image/png' }))
  act(() => result.current.add(files))
  await vi.waitFor(() => expect(finish).toHaveLength(4))
  act(() => result.current.remove(result.current.items[4]?.key ?? ''))
  await act(async () => finish[0]?.())
  await vi.waitFor(() => expect(finish).toHaveLength(5))
  await act(async () => {
    for (const each of finish.slice(1)) each()
  })
  expect(result.current.assetIds).toEqual(['p0', 'p1', 'p2', 'p3', 'p5'])
  expect(uploadAsset).toHaveBeenCalledTimes(5)
})
