// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import '@/lib/i18n/change'
import type { Asset } from '@/lib/api/assets'
import { renderPage } from '@/test/render-page'
import { CropDialog } from './crop-dialog'

const ASSET = { id: 'a1', url: '/a1.png', width: 400, height: 300 } as Asset

test('a typed side changes the other with the format, and keeps the keyboard focus', async () => {
  const onCrop = vi.fn()
  renderPage(() => <CropDialog asset={ASSET} busy={false} onCancel={vi.fn()} onCrop={onCrop} />)
  const width = await screen.findByLabelText('Width')
  const height = screen.getByLabelText('Height')
  await userEvent.clear(width)
  await userEvent.type(width, '200')
  await userEvent.tab()
  expect(document.activeElement).toBe(height)
  expect(height).toHaveValue(200)

  await userEvent.clear(height)
  await userEvent.type(height, '5{Enter}')
  expect(document.activeElement).toBe(height)
  expect(height).toHaveValue(16)
  await userEvent.clear(height)
  await userEvent.tab()
  expect(height).toHaveValue(16)
  await userEvent.click(screen.getByRole('button', { name: 'Crop' }))
  expect(onCrop).toHaveBeenCalledWith(expect.objectContaining({ width: 16, height: 16 }))
})
