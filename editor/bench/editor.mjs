/**
 * Measures the editor with 1,000 nodes and 1,500 edges in real Chromium and prints a table of medians.
 * It serves the built editor and answers the API from memory, so that only the page is measured.
 */
import { chromium } from '@playwright/test'
import { findChromium } from './browser.mjs'
import { drag, dragNode, perFrame, running, settle, typing, wheel } from './measures.mjs'
import { serveEditor } from './serve.mjs'
import { weigh } from './weigh.mjs'

const ROUNDS = Number(process.env.IMPASTO_BENCH_ROUNDS ?? 3)

const editor = await serveEditor({ nodes: 1000, edges: 1500 })
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
const rows = new Map()

for (let round = 1; round <= ROUNDS; round++) {
  process.stderr.write(`Round ${round} of ${ROUNDS}\n`)
  await measure(round === ROUNDS)
}
process.stdout.write(table())
await browser.close()
editor.close()

/** One round; each value is the median over its frames or key presses. */
async function measure(last) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(storeSession)
  row('open 1,000 nodes', 'under 2,000 ms', await open(page), 'ms')
  const pan = () => drag(page, { x: 640, y: 770 }, -260, -160, 90)
  await settle(page, '0')
  row('pan, near', '50 frames/s', await rate(page, pan), 'frames/s')
  row('zoom', '50 frames/s', await rate(page, () => wheel(page)), 'frames/s')
  await settle(page, '0')
  row('drag a node', 'under 20 ms', await perFrame(page, () => dragNode(page)), 'ms a frame')
  row('type in a setting', 'under 50 ms', await typing(page), 'ms a key')
  await settle(page, 'Shift+1')
  row('pan, all in sight', '50 frames/s', await rate(page, pan), 'frames/s')
  await settle(page, 'Shift+1')
  row('run, 200 events/s, all in sight', '50 frames/s', 1000 / (await running(page, editor)), 'frames/s')
  await settle(page, '0')
  row('run, 200 events/s, near', '50 frames/s', 1000 / (await running(page, editor)), 'frames/s')
  if (last)
    for (const [what, limit, size] of await weigh(browser, editor, storeSession)) row(what, limit, size, 'kB')
  await context.close()
}

function storeSession() {
  const session = { token: 'a.b.c', subject: 'bench', expires: Date.now() + 3_600_000 }
  localStorage.setItem('impasto.session', JSON.stringify(session))
}

async function rate(page, work) {
  return 1000 / (await perFrame(page, work))
}

/** Navigates from a small agent to the large one, as a press on its card does. */
async function open(page) {
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

function row(what, limit, value, unit) {
  const known = rows.get(what) ?? { limit, unit, values: [] }
  rows.set(what, known)
  known.values.push(value)
  process.stderr.write(`${what}: ${value.toFixed(1)} ${unit}\n`)
}

/** The results as a Markdown table. */
function table() {
  const lines = [...rows].map(([what, { limit, unit, values }]) => {
    const sorted = values.toSorted((one, other) => one - other)
    const middle = sorted[Math.floor(sorted.length / 2)]
    return `| ${what} | ${limit} | ${middle.toFixed(1)} ${unit} |`
  })
  return ['| 1,000 nodes, 1,500 edges | limit | median |', '| --- | --- | --- |', ...lines, ''].join('\n')
}
