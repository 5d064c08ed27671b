/**
 * Measures the library with 10,000 assets in real Chromium on a real server, and prints a table. The assets are
 * written into the database of a separate data folder; their images are real files.
 */
import { chromium } from '@playwright/test'
import { findChromium } from './browser.mjs'
import { serveLibrary, signIn } from './library-server.mjs'

const ASSETS = Number(process.env.IMPASTO_BENCH_ASSETS ?? 10_000)
const OLDEST = 'image-0.png'
const library = await serveLibrary(ASSETS)
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, library.url)
  for (const [what, value] of await measure(page)) process.stdout.write(`${what.padEnd(40)}${value}\n`)
} finally {
  await browser.close()
  await library.close()
}

async function measure(page) {
  await page.goto(`${library.url}/account/`)
  await page.getByRole('button', { name: 'Account menu' }).click()
  const began = performance.now()
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await cells(page).first().waitFor()
  const first = performance.now() - began
  const before = await heap(page)
  const { frames, seconds } = await scrollThrough(page)
  const after = await heap(page)
  return [
    ['assets', ASSETS],
    ['first images', `${first.toFixed(0)} ms`],
    ['scrolled through in', `${seconds.toFixed(0)} s`],
    ['a frame, median', `${frames.at(frames.length / 2).toFixed(1)} ms`],
    ['a frame, slowest 1 %', `${frames.at(frames.length * 0.99).toFixed(1)} ms`],
    ['elements in the page at the end', await page.locator('*').count()],
    ['memory at the start, at the end', `${before.toFixed(1)} MB, ${after.toFixed(1)} MB`],
    ['back and forth, off by', `${await wayBack(page)} px`],
    ['a search, until its first image', `${await search(page)} ms`],
  ]
}

function cells(page) {
  return page.locator('[data-asset]')
}

/** Scrolls by wheel until the oldest asset is rendered; returns the frame times in ascending order. */
async function scrollThrough(page) {
  await page.mouse.move(700, 600)
  await page.evaluate(() => {
    window.frames_ = []
    let last = performance.now()
    const next = (now) => {
      window.frames_.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  const began = performance.now()
  const oldest = page.getByRole('button', { name: OLDEST }).first()
  while ((await oldest.count()) === 0) {
    if (performance.now() - began > 300_000) throw new Error('The end of the library was not reached.')
    await page.mouse.wheel(0, 900)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  const frames = await page.evaluate(() => window.frames_.toSorted((a, b) => a - b))
  const at = (index) => frames[Math.floor(index)]
  return { frames: { at, length: frames.length }, seconds: (performance.now() - began) / 1000 }
}

/** Goes back and forward in the browser; returns the distance from the previous scroll position. */
async function wayBack(page) {
  const left = await page.evaluate(() => window.scrollY)
  await page.goBack()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  await page.goForward()
  await cells(page).first().waitFor()
  await page
    .waitForFunction((was) => Math.abs(window.scrollY - was) < 2, left, { timeout: 5000 })
    .catch(() => undefined)
  return Math.round(Math.abs((await page.evaluate(() => window.scrollY)) - left))
}

async function search(page) {
  const began = performance.now()
  await page.getByRole('searchbox').fill('image-7777')
  await page.getByRole('button', { name: 'image-7777.png' }).first().waitFor()
  return Math.round(performance.now() - began)
}

async function heap(page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}
