import type { Locator, Page } from '@playwright/test'
import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (!box) throw new Error(`${part} is not shown`)
  return box
}

/** What is wrong with the place of the actions: beyond the window, or over another control. */
async function faultsOf(page: Page, actions: Locator): Promise<string[]> {
  const box = await boxOf(actions)
  const width = page.viewportSize()?.width ?? 0
  const found = box.x < 0 || box.x + box.width > width ? [`${box.x} to ${box.x + box.width} px`] : []
  for (const other of await page.getByRole('toolbar').or(page.getByRole('banner')).all()) {
    const name = await other.getAttribute('aria-label')
    if (name === '3 selected') continue
    const { x, y, width: w, height: h } = await boxOf(other)
    const overlaps = x < box.x + box.width && box.x < x + w && y < box.y + box.height && box.y < y + h
    if (overlaps) found.push(`overlaps ${name}`)
  }
  return found
}

test('the actions for several nodes cover no other control, whatever the width', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const nodes = [0, 1, 2].map((at) => flowNode(`n${at}`, 'compose', at * 300, 0, { template: 'Ciao' }))
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: { nodes } })
  await expect(canvas.cards.first()).toBeVisible()
  await page.keyboard.press('Control+a')
  const actions = page.getByRole('toolbar', { name: '3 selected' })
  for (const [width, height] of [
    [1440, 900],
    [1100, 800],
    [768, 1024],
    [390, 844],
  ] as const) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height })
      await expect(actions).toBeVisible()
      await expect.poll(() => faultsOf(page, actions)).toEqual([])
      await actions.getByRole('button', { name: 'Align top' }).focus()
      await page.keyboard.press('Enter')
      await expect(actions).toBeVisible()
    })
  }
})
