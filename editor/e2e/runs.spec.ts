import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessibleInBothThemes,
  test as newPageTest,
  type Server,
  storeSession,
} from './fixtures'

const PROMPTS = ['Tiles from Porto', 'A blue jug', 'Bowls for a café'] as const

/** Launches an agent that returns its prompt, once for each prompt; returns the ids of the runs. */
async function launch(page: Page, server: Server, token: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}` }
  const post = async (path: string, data: object) => {
    const response = await page.request.post(`${server.url}/api/v1${path}`, { data, headers })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const nodes = [{ id: 'prompt', type: 'user_prompt', version: 1, settings: { text: 'Nothing' } }]
  const flow = { format: 1, name: 'Kiln', nodes, edges: [] }
  const { id } = await post('/flows/', { name: 'Kiln', description: '', flow })
  const ids: string[] = []
  for (const prompt of PROMPTS) {
    const run = await post(`/flows/${id}/runs`, { inputs: { prompt }, version: 'draft' })
    await page.request.get(`${server.url}/api/v1/runs/${run.id}/events`, { headers })
    ids.push(run.id)
  }
  return ids
}

newPageTest(
  'runs are searched, filtered, opened, launched again and deleted with undo',
  async ({ page, server, token, context }) => {
    const [porto, jug, bowls] = await launch(page, server, token)
    // A fixed date: the runs are listed under Today, also when the test reaches midnight.
    await page.clock.setFixedTime(new Date())
    await storeSession(server, context, token)
    await page.goto('/')
    const answered = page.waitForResponse((response) => response.url().endsWith('/runs/totals'))
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    const rows = page.getByRole('list', { name: 'Runs, newest first' }).getByRole('link')
    await expect(rows).toHaveCount(3)
    // Some of the three are of the month before if it ended during the test.
    const { runs, since } = await (await answered).json()
    const isNewMonth = Date.now() - Date.parse(since) < 300_000
    expect([0, 1, 2, 3].slice(isNewMonth ? 0 : 3)).toContain(runs)
    await expect(page.getByText(`${runs} run${runs === 1 ? '' : 's'} and $0.00 this month`)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
    await expectAccessibleInBothThemes(page)

    await page.getByLabel('Search prompts and texts').fill('porto')
    await expect(rows).toHaveCount(1)
    await expect(page).toHaveURL(/q=porto/)
    await page.reload()
    await expect(rows).toHaveCount(1)
    await page.getByRole('radio', { name: 'Failed' }).click()
    await expect(page.getByText('No results found')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(rows).toHaveCount(3)
    await expect(page.getByLabel('Search prompts and texts')).toHaveValue('')

    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.locator(`[data-run="${jug}"]`)).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(rows).toHaveCount(2)
    await expect(page.locator(`[data-run="${porto}"]`)).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rows).toHaveCount(3)

    await page.locator(`[data-run="${bowls}"]`).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/run/${bowls}`))
    await page.goBack()
    await page.getByRole('button', { name: 'More for Tiles from Porto' }).click()
    await page.getByRole('menuitem', { name: 'Edit and relaunch' }).click()
    await expect(page.getByLabel('Your prompt')).toHaveValue('Tiles from Porto')
  },
)

newPageTest(
  'a text result is found in the library by its words, is read there, and leads to its run',
  { tag: '@thorough' },
  async ({ page, server, token, context }) => {
    const [porto] = await launch(page, server, token)
    await storeSession(server, context, token)
    await page.goto('/library?kind=text')
    await page.getByLabel('Search assets').fill('Porto')
    await page.getByRole('button', { name: 'Open Tiles from Porto, Kiln 1' }).click()
    const viewer = page.getByRole('dialog', { name: 'Tiles from Porto, Kiln 1' })
    await expect(viewer.getByRole('region', { name: 'Tiles from Porto, Kiln 1' })).toHaveText(
      'Tiles from Porto',
    )
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: '.md' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('tiles-from-porto-kiln-1.md')
    await viewer.getByRole('link', { name: 'Open run' }).click()
    await expect(page).toHaveURL(new RegExp(`/run/${porto}`))
  },
)
