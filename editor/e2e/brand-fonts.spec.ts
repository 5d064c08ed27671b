import { join } from 'node:path'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  keptTest as test,
  toast,
} from './fixtures'

const FONT = join(import.meta.dirname, '../../nodes/impasto_nodes/media/text/files/AmaticSC-Bold.ttf')

test('a font file is added to a brand, shown in its own face, and removed', { tag: '@thorough' }, async ({
  signedInPage: page,
  request,
  server,
  token,
}) => {
  const made = await request.post(`${server.url}/api/v1/brands/`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name: 'Fjell Skincare', voice: { sample_lines: ['Sleep does the rest.'] } },
  })
  await page.goto(`/brands/${(await made.json()).id}`)
  const fonts = page.getByRole('region', { name: 'Fonts' })
  const chooser = fonts.locator('input[type=file]')
  await chooser.setInputFiles({
    name: 'broken.ttf',
    mimeType: 'font/ttf',
    buffer: Buffer.from('\0\x01\0\0 damaged', 'latin1'),
  })
  await expect(toast(page, 'The font was not added')).toBeVisible()

  await chooser.setInputFiles(FONT)
  const own = fonts.getByRole('list', { name: 'Your own fonts' })
  await expect(own.getByRole('listitem')).toHaveText(['Amatic SC 700'])
  await expect(fonts.getByLabel('Headlines')).toHaveText('Amatic SC')
  await expect(fonts.getByText('Sleep does the rest.')).toBeVisible()
  expect(await page.evaluate(() => document.fonts.check('700 20px "brand Amatic SC"'))).toBe(true)
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)

  await page.reload()
  await expect(fonts.getByText('Sleep does the rest.')).toBeVisible()
  await fonts.getByRole('button', { name: 'Remove Amatic SC 700' }).press('Enter')
  await expect(own).toBeHidden()
  await expect(fonts.getByRole('button', { name: 'Add a font file' })).toBeFocused()
  await expect(fonts.getByLabel('Headlines')).toHaveText('No font chosen')
})
