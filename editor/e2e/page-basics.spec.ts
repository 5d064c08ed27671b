import type { ConsoleMessage, Page, Response } from '@playwright/test'
import { createFlow, flowNode } from './editor/canvas'
import { expect, expectAccessibleInBothThemes, keptTest as test } from './fixtures'

/**
 * What Lighthouse asks of a page besides its speed: title, language, description, links that can be followed, images
 * with their size, no errors, no old interfaces, and nothing that keeps search engines away.
 */
async function expectSoundPage(page: Page, path: string, title: RegExp): Promise<void> {
  const errors: string[] = []
  const failed: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') errors.push(message.text())
  }
  const onError = (error: Error) => {
    errors.push(error.message)
  }
  const onResponse = (response: Response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  }
  page.on('console', onConsole).on('pageerror', onError).on('response', onResponse)
  const response = await page.goto(path)
  expect(response?.status()).toBe(200)
  expect(response?.headers()['x-robots-tag']).toBeUndefined()
  await expect(page.locator('h1, [data-region=canvas]').first()).toBeVisible()
  await expect(page).toHaveTitle(title)
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(basics)).toEqual({
    doctype: 'html',
    charset: 'UTF-8',
    language: expect.stringMatching(/^en/),
    description: expect.stringMatching(/\w+ \w+/),
    viewport: expect.not.stringMatching(/user-scalable=no|maximum-scale/),
    robots: null,
    deadLinks: [],
    namelessLinks: [],
    stretchedImages: [],
  })
  page.off('console', onConsole).off('pageerror', onError).off('response', onResponse)
  expect({ errors, failed }).toEqual({ errors: [], failed: [] })
  await expectAccessibleInBothThemes(page)
}

function basics() {
  const meta = (name: string) =>
    document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null
  const links = [...document.querySelectorAll('a')]
  const isStretched = (image: HTMLImageElement) => {
    const { objectFit } = getComputedStyle(image)
    if (objectFit !== 'fill' || !image.naturalWidth || !image.clientWidth) return false
    const [shown, own] = [image.clientWidth / image.clientHeight, image.naturalWidth / image.naturalHeight]
    return Math.abs(shown / own - 1) > 0.05
  }
  return {
    doctype: document.doctype?.name,
    charset: document.characterSet,
    language: document.documentElement.lang,
    description: meta('description'),
    viewport: meta('viewport'),
    robots: meta('robots'),
    deadLinks: links.filter((link) => !link.getAttribute('href')).map((link) => link.outerHTML),
    namelessLinks: links
      .filter((link) => !link.textContent?.trim() && !link.getAttribute('aria-label'))
      .map((link) => link.outerHTML),
    stretchedImages: [...document.images].filter(isStretched).map(({ src }) => src),
  }
}

test('search engines may read the pages, not the API', async ({ page }) => {
  const robots = await page.request.get('/robots.txt')
  expect(robots.headers()['content-type']).toContain('text/plain')
  expect(await robots.text()).toBe('User-agent: *\nAllow: /\nDisallow: /api/\n')
})

test('the sign-in page is sound', { tag: '@thorough' }, async ({ page }) => {
  await expectSoundPage(page, '/login', /Sign In/)
})

for (const [path, title, tag] of [
  ['/', /Impasto/, []],
  ['/runs', /Runs/, ['@thorough']],
  ['/library', /Library/, ['@thorough']],
] as const) {
  test(`${path} is sound`, { tag: [...tag] }, async ({ signedInPage: page }) => {
    await expectSoundPage(page, path, title)
  })
}

test('the editor is sound', { tag: '@thorough' }, async ({ signedInPage: page, server, token, request }) => {
  const flow = { nodes: [flowNode('a', 'compose', 0, 0)] }
  const id = await createFlow(request, server.url, token, { name: 'Poster', flow })
  await expectSoundPage(page, `/flow/${id}`, /Poster/)
})
