import type { Page } from '@playwright/test'
import { createFlow, flowNode } from './editor/canvas'
import { expect, test } from './fixtures'
import { imageFile } from './fixtures/image-file'
import { holdRequests, withoutLongTimers } from './fixtures/interception'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/** The file of the application that is evaluated last. */
const CODE = '**/assets/index-*.js'

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox()
  return box && { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width) }
}

test('a page that opens in the background starts although it paints no frame', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    const { requestAnimationFrame } = window
    window.requestAnimationFrame = () => 0
    // Only until the application runs: the browser of the test shows the page.
    new MutationObserver((_, observer) => {
      if (!document.querySelector('#root > *')) return
      window.requestAnimationFrame = requestAnimationFrame
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/login')
  await expect(page.getByRole('main')).toBeVisible()
})

test('the files of the application are requested once the frame has painted', { tag: '@thorough' }, async ({
  page,
}) => {
  const files: string[] = []
  page.on('request', (sent) => files.push(sent.url().replace(/.*\/|-.{8}\.js$/g, '')))
  // A browser paints nothing before it has the styles.
  const release = await holdRequests(page, '**/assets/index-*.css')
  const started = page.waitForResponse('**/start.js')
  await page.goto('/login', { waitUntil: 'commit' })
  await started
  await expect.poll(() => page.evaluate(() => document.readyState)).toBe('interactive')
  expect(files).not.toContain('react')
  release()
  await expect.poll(() => files).toContain('react')
})

test('a visitor without a session loads the page to sign in with the application, and no code of other pages', async ({
  page,
}) => {
  await withoutLongTimers(page)
  const files: string[] = []
  page.on('request', (sent) => {
    if (sent.url().endsWith('.js')) files.push(sent.url().replace(/.*\/|-.{8}\.js$/g, ''))
  })
  const release = await holdRequests(page, CODE)
  await page.goto('/runs', { waitUntil: 'commit' })
  await expect.poll(() => files).toContain('login-page')
  release()
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  expect(files.filter((name) => ['signed-in', 'signed-in-layout', 'runs-page'].includes(name))).toEqual([])
})

test('the files of the application are evaluated one after another, and only the fonts of the page are requested', {
  tag: '@thorough',
}, async ({ page }) => {
  const fonts = new Set<string>()
  page.on('request', (sent) => {
    if (sent.url().endsWith('.woff2')) fonts.add(sent.url().replace(/.*\/|-.{8}\.woff2$/g, ''))
  })
  const compiled = page.waitForResponse(/\/assets\/(react|login-page)-/)
  await page.goto('/login')
  const parts = await page.locator('script[data-parts]').getAttribute('data-parts')
  const names = (parts ?? '').split(' ').map((file) => file.replace(/.*\/|-.{8}\.js$/g, ''))
  const order = 'rolldown-runtime react router classes class-tables libraries texts data index'
  expect(names.join(' ')).toBe(order)
  // Asks browsers to compile the file in the background.
  expect(await (await compiled).text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
  await expect(page.getByRole('main')).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect([...fonts]).toContain('instrument-serif-latin-400-normal')
  expect([...fonts].filter((font) => !font.includes('-latin-') || font.includes('-latin-ext-'))).toEqual([])
})

/** The place of the text of an element, which may be wider than its text. */
async function textBoxOf(page: Page, selector: string) {
  return page.locator(selector).evaluate(async (element) => {
    // Not `fonts.ready`: it is fulfilled before the first layout asks for the font.
    await document.fonts.load(getComputedStyle(element).font)
    const range = document.createRange()
    range.selectNodeContents(element)
    const { x, y, width, height } = range.getBoundingClientRect()
    return [x, y, width, height]
  })
}

/** Waits for the styles, which the browser waits for before it paints, but not before it answers about places. */
async function expectStyles(page: Page) {
  const isStyled = () =>
    page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      return links.length > 0 && links.every((link) => link.sheet)
    })
  await expect.poll(isStyled).toBe(true)
}

/** What the frame of a page shows before its code has loaded, and what the page shows in its place. */
type Frame = { path: string; heading?: string; logo?: string }

/** Expects the logo and the heading of a page in its frame, at the places that they have once the code has loaded. */
async function expectSteadyFrame(page: Page, frame: Frame) {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const release = await holdRequests(page, CODE)
    await page.goto(frame.path, { waitUntil: 'commit' })
    await expectStyles(page)
    await expectSteadyParts(page, frame, release)
    await page.unroute(CODE)
  }
}

async function expectSteadyParts(page: Page, { path, heading, logo }: Frame, release: () => void) {
  const text = `#frame .texts [data-of=${heading}]`
  if (heading) await expect(page.locator(text)).toBeVisible()
  if (logo) await expect(page.locator('#frame > i')).toBeVisible()
  if (!heading) await expect(page.locator('#frame [data-of=editor]')).toHaveText('Loading agent…')
  const framedLogo = logo && (await boxOf(page, '#frame > i'))
  const framed = heading ? await textBoxOf(page, text) : []
  release()
  await expect(page.locator(heading ? 'h1' : '[data-region=actions]').first()).toBeVisible()
  await expect(page.locator('#frame')).toBeHidden()
  const place = `${path} at ${page.viewportSize()?.width} px`
  if (logo) expect(await boxOf(page, logo), place).toEqual(framedLogo)
  const shown = heading ? await textBoxOf(page, 'h1') : []
  const moved = shown.map((at, index) => Math.abs(at - (framed[index] ?? 0)))
  expect(Math.max(0, ...moved), `${place}: ${framed}, then ${shown}`).toBeLessThanOrEqual(1)
}

test('the page to sign in has its frame and heading before its code has loaded, and they stay where they are', async ({
  page,
}) => {
  await expectSteadyFrame(page, { path: '/login', heading: 'login' })
})

test('pages have their frame and heading before their code has loaded, and the logo stays where it is', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const flow = { nodes: [flowNode('a', 'compose', 0, 0)] }
  const id = await createFlow(request, server.url, token, { flow })
  await expectSteadyFrame(page, { path: '/runs', heading: 'runs', logo: 'header a i' })
  await expectSteadyFrame(page, { path: `/flow/${id}`, logo: '[data-region=actions] a i' })
})

test('so have Home and the library', { tag: '@thorough' }, async ({ signedInPage: page }) => {
  await expectSteadyFrame(page, { path: '/', heading: 'home', logo: 'header a i' })
  await expectSteadyFrame(page, { path: '/library', heading: 'library', logo: 'header a i' })
})

test('nothing on the page of runs moves when figures, brands and runs arrive one after the other', {
  tag: '@thorough',
}, async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number }[]) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const waiting: { url: string; release: () => void }[] = []
  for (const url of ['**/api/v1/brands?*', '**/api/v1/runs/?*', '**/api/v1/runs/totals'])
    waiting.push({ url, release: await holdRequests(page, url) })
  await page.goto('/runs')
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const before = await boxOf(page, 'input[type=search]')
  for (const { url, release } of waiting) {
    const answered = page.waitForResponse(new RegExp(`${url.slice(4).replace('?*', '\\?')}`))
    release()
    await answered
  }
  await expect(page.getByText('this month')).toBeVisible()
  expect(await boxOf(page, 'input[type=search]')).toEqual(before)
  const moved = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(moved.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.02)
})

for (const [path, list] of [
  ['/runs', /\/runs\/\?/],
  ['/', /\/flows\/\?.*mine=false/],
  ['/library', /\/assets\/library\?/],
] as const) {
  test(`the first data of ${path} is requested once, before its code`, { tag: '@thorough' }, async ({
    signedInPage: page,
  }) => {
    // The page of runs asks again for what is a second old, as its answer is if its code takes longer than that to load.
    await page.clock.setFixedTime(new Date())
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const release = await holdRequests(page, CODE)
    await page.goto(path, { waitUntil: 'commit' })
    await expect.poll(() => sent.some((url) => list.test(url))).toBe(true)
    release()
    await expect(page.locator('h1')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(sent.filter((url) => list.test(url))).toHaveLength(1)
  })
}

const RUNS = ['/runs', '#frame .rows p', 'a[data-run]'] as const
const LIBRARY = ['/library', '#frame .rows > div', 'main li button[data-asset]'] as const
for (const [width, lists, tag] of [
  [360, [RUNS, LIBRARY], ['@thorough']],
  [430, [RUNS, LIBRARY], ['@thorough']],
  [768, [LIBRARY], ['@thorough']],
  [1440, [LIBRARY], []],
] as const) {
  test(`at ${width} px the first rows of a list are shown before its code has loaded, and stay where they are`, {
    tag: [...tag],
  }, async ({ signedInPage: page, server, token, request }) => {
    const flow = { nodes: [flowNode('a', 'user_prompt', 0, 0, { text: 'Winter gloves, third print run' })] }
    const id = await createFlow(request, server.url, token, { flow })
    const headers = { Authorization: `Bearer ${token}` }
    const launched = await request.post(`${server.url}/api/v1/flows/${id}/runs`, {
      data: { inputs: {}, version: 'draft' },
      headers,
    })
    expect(launched.ok(), await launched.text()).toBe(true)
    const uploaded = await request.post(`${server.url}/api/v1/assets/`, {
      multipart: { file: imageFile('gloves.png', 64, 64) },
      headers,
    })
    expect(uploaded.ok(), await uploaded.text()).toBe(true)
    await page.setViewportSize({ width, height: 844 })
    for (const [path, row, shown] of lists) {
      const release = await holdRequests(page, CODE)
      await page.goto(path, { waitUntil: 'commit' })
      await expectStyles(page)
      await expect(page.locator(row).first()).toBeVisible()
      const framed = await page.locator(row).first().boundingBox()
      release()
      await expect(page.locator(shown).first()).toBeVisible()
      await expect(page.locator('#frame')).toBeHidden()
      const box = await page.locator(shown).first().boundingBox()
      for (const side of ['x', 'y', 'width'] as const)
        expect(
          Math.abs((box?.[side] ?? 0) - (framed?.[side] ?? 0)),
          `${path} at ${width} px: ${side}`,
        ).toBeLessThanOrEqual(1)
      await page.unroute(CODE)
    }
  })
}
