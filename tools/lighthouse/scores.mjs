/**
 * Prints Lighthouse's scores of the pages of a real server with assets, runs and an agent: for desktop and for phones,
 * each the median of several measurements. Ends with 1 if a score is below the target.
 * Names of pages as arguments measure only these.
 */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { findChromium } from '../../editor/bench/browser.mjs'
import { serveLibrary, signIn } from '../../editor/bench/library-server.mjs'
import { writeAgent } from './agent.mjs'

const { chromium } = createRequire(resolve(import.meta.dirname, '../../editor/package.json'))('@playwright/test')

const TARGET = 95
const TIMES = Number(process.env.IMPASTO_LIGHTHOUSE_TIMES ?? 3)
const ASSETS = 60
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const DEVICES = { desktop: desktopConfig, mobile: undefined }
const only = process.argv.slice(2)

const library = await serveLibrary(ASSETS)
const port = Number(new URL(library.url).port) + 1
const browser = await chromium.launchPersistentContext('', {
  executablePath: findChromium(),
  args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
let isBelow = false
/** A session of Chromium's protocol, which empties its cache. */
let devTools = null
try {
  const page = browser.pages()[0] ?? (await browser.newPage())
  devTools = await browser.newCDPSession(page)
  const login = await scored('login', '/login')
  await signIn(page, library.url)
  const agent = await writeAgent(page)
  await page.goto('about:blank')
  const pages = { home: '/', runs: '/runs', library: '/library', editor: `/flow/${agent}` }
  const rows = [...login]
  for (const [name, path] of Object.entries(pages)) rows.push(...(await scored(name, path)))
  print(rows)
} finally {
  await browser.close()
  await library.close()
}
process.exitCode = isBelow ? 1 : 0

/** The median scores of a page for each device, in hundredths, and what its performance is made of. */
async function scored(name, path) {
  if (only.length > 0 && !only.includes(name)) return []
  const rows = []
  for (const [device, config] of Object.entries(DEVICES)) {
    const results = []
    for (let time = 0; time < TIMES; time += 1) results.push(await measure(path, config))
    const scores = CATEGORIES.map((category) =>
      Math.round(100 * median(results.map(({ categories }) => categories[category]?.score ?? 0))),
    )
    if (scores.some((score) => score < TARGET)) isBelow = true
    rows.push({ name, device, scores, slow: slowest(results), failed: failedAudits(results) })
  }
  return rows
}

/**
 * Measures a first visit of a page: the cache is empty, but the session is kept. A trace that Chromium has lost says
 * nothing about the page: it is recorded again.
 */
async function measure(path, config, tries = 3) {
  await devTools.send('Network.clearBrowserCache')
  const options = { port, onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' }
  const { lhr } = await lighthouse(`${library.url}${path}`, options, config)
  if (lhr.runtimeError && tries > 1) return measure(path, config, tries - 1)
  if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`)
  const shown = new URL(lhr.finalDisplayedUrl).pathname
  if (shown !== path) throw new Error(`${path} shows ${shown}.`)
  return lhr
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
}

function slowest(results) {
  const value = (audit) => median(results.map(({ audits }) => audits[audit]?.numericValue ?? 0))
  const seconds = (audit) => `${(value(audit) / 1000).toFixed(1)} s`
  const paint = `first paint ${seconds('first-contentful-paint')}, largest ${seconds('largest-contentful-paint')}`
  return `${paint}, blocked ${value('total-blocking-time').toFixed(0)} ms, shift ${value('cumulative-layout-shift').toFixed(3)}`
}

/** The audits other than of performance that a page fails in any measurement. */
function failedAudits(results) {
  const failed = new Set()
  for (const { categories, audits } of results) {
    for (const category of CATEGORIES.slice(1)) {
      for (const { id, weight } of categories[category]?.auditRefs ?? []) {
        const score = audits[id]?.score
        if (weight > 0 && score !== null && score !== undefined && score < 1) failed.add(id)
      }
    }
  }
  return [...failed]
}

function print(rows) {
  const line = (cells) => process.stdout.write(`${cells.map((cell) => String(cell).padEnd(16)).join('')}\n`)
  line(['page', 'device', ...CATEGORIES])
  for (const { name, device, scores, slow, failed } of rows) {
    line([name, device, ...scores])
    process.stdout.write(`  ${slow}${failed.length > 0 ? `; fails ${failed.join(', ')}` : ''}\n`)
  }
}
