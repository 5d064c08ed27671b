/**
 * Measures the editor in real Chromium, with 1,000 and with 5,000 nodes of which every second shows a picture, and prints
 * a table for each. It serves the built editor and answers the API from memory, so that only the page is measured.
 */
import { chromium } from '@playwright/test'
import { findChromium } from './browser.mjs'
import { drag, dragNode, perFrame, running, settle, tidying, typing, wheel } from './measures.mjs'
import { serveEditor } from './serve.mjs'
import { weigh } from './weigh.mjs'

const ROUNDS = Number(process.env.IMPASTO_BENCH_ROUNDS ?? 3)
const SIZES = (process.env.IMPASTO_BENCH_NODES ?? '1000,5000').split(',').map(Number)
/** Milliseconds; frames a second. */
const LIMITS = { 1000: { open: 2000, frames: 55 }, 5000: { open: 1500, frames: 50 } }

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
for (const nodes of SIZES) {
  const editor = await serveEditor({ nodes, edges: nodes * 1.5 })
  const rows = new Map()
  for (let round = 1; round <= ROUNDS; round++) {
    process.stderr.write(`${nodes} nodes, round ${round} of ${ROUNDS}\n`)
    await measure(editor, rows, LIMITS[nodes] ?? LIMITS[5000])
  }
  if (nodes === SIZES.at(-1)) {
    for (const [what, limit, size] of await weigh(browser, editor, storeSession)) {
      rows.set(what, { limit, unit: 'kB', values: [{ median: size }] })
    }
  }
  process.stdout.write(table(nodes, rows))
  editor.close()
}
await browser.close()

/** One round; each value is the median over its frames or key presses, with the slowest frames beside it. */
async function measure(editor, rows, limits) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(storeSession)
  const row = (what, limit, value, unit) => {
    const known = rows.get(what) ?? { limit, unit, values: [] }
    rows.set(what, known)
    known.values.push(value)
    process.stderr.write(`${what}: ${value.median.toFixed(1)} ${unit} ${value.p95?.toFixed(1) ?? ''}\n`)
  }
  const frames = async (what, work) => {
    const { median, p95 } = await work()
    row(what, `${limits.frames} frames/s`, { median: 1000 / median, p95 }, 'frames/s')
  }
  row('open', `under ${limits.open} ms`, { median: await open(page, editor) }, 'ms')
  const pan = () => perFrame(page, () => drag(page, { x: 640, y: 770 }, -260, -160, 90))
  await settle(page, '0')
  await frames('pan, near', pan)
  await frames('zoom', () => perFrame(page, () => wheel(page)))
  await settle(page, '0')
  row('drag a node', 'under 20 ms', await perFrame(page, () => dragNode(page)), 'ms a frame')
  row('type in a setting', 'under 50 ms', { median: await typing(page) }, 'ms a key')
  await settle(page, 'Shift+1')
  await frames('pan, all in sight', pan)
  await settle(page, 'Shift+1')
  await frames('run, 200 events/s, all in sight', () => running(page, editor))
  await settle(page, '0')
  await frames('run, 200 events/s, near', () => running(page, editor))
  await page.getByRole('button', { name: 'Stop' }).click()
  row('tidy up', 'under 1,000 ms', { median: await tidying(page) }, 'ms')
  await context.close()
}

function storeSession() {
  const session = { token: 'a.b.c', subject: 'bench', expires: Date.now() + 3_600_000 }
  localStorage.setItem('impasto.session', JSON.stringify(session))
}

/** Navigates from a small agent to the large one, as a press on its card does. */
async function open(page, editor) {
  await page.goto(`${editor.url}/flow/warm`)
  await page.waitForSelector('.react-flow__node')
  const took = await page.evaluate(async (address) => {
    const start = performance.now()
    window.history.pushState({}, '', address)
    window.dispatchEvent(new PopStateEvent('popstate'))
    while (document.querySelectorAll('.react-flow__node').length < 40) {
      await new Promise((done) => requestAnimationFrame(done))
    }
    return performance.now() - start
  }, '/flow/big')
  await page.waitForTimeout(1500)
  return took
}

/** The results as a Markdown table. */
function table(nodes, rows) {
  const lines = [...rows].map(([what, { limit, unit, values }]) => {
    const middle = (name) => {
      const sorted = values.map((value) => value[name]).toSorted((one, other) => one - other)
      return sorted[Math.floor(sorted.length / 2)]?.toFixed(1)
    }
    const p95 = values[0].p95 === undefined ? '' : `${middle('p95')} ms`
    return `| ${what} | ${limit} | ${middle('median')} ${unit} | ${p95} |`
  })
  const title = `| ${nodes} nodes, ${nodes * 1.5} edges | limit | median | 95 % of frames within |`
  return [title, '| --- | --- | --- | --- |', ...lines, '', ''].join('\n')
}
