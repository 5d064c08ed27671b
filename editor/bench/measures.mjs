/** Presses a key on the canvas and waits until the page is idle. */
export async function settle(page, key) {
  await page.evaluate(() => document.activeElement?.blur())
  await page.keyboard.press(key)
  await page.waitForTimeout(600)
}

/** The frames of an action: how many there are in a second, and the milliseconds that 95 of 100 do not exceed. */
export async function perFrame(page, work) {
  await page.evaluate(() => {
    const gaps = []
    let before = null
    let request = requestAnimationFrame(function next(now) {
      if (before !== null) gaps.push(now - before)
      before = now
      request = requestAnimationFrame(next)
    })
    window.endWatching = () => {
      cancelAnimationFrame(request)
      return gaps
    }
  })
  await work()
  const gaps = (await page.evaluate(() => window.endWatching())).toSorted((one, other) => one - other)
  const sum = gaps.reduce((all, gap) => all + gap, 0)
  return {
    rate: (1000 * gaps.length) / sum,
    median: gaps[Math.floor(gaps.length / 2)],
    p95: gaps[Math.floor(gaps.length * 0.95)],
  }
}

export async function drag(page, from, byX, byY, steps) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (let step = 1; step <= steps; step++) {
    await page.mouse.move(from.x + (byX * step) / steps, from.y + (byY * step) / steps)
  }
  await page.mouse.up()
}

/** Pans the canvas by the wheel, which also does it over a card. */
async function scroll(page, at, byX, byY, steps) {
  await page.mouse.move(at.x, at.y)
  for (let step = 0; step < steps; step++) await page.mouse.wheel(byX / steps, byY / steps)
}

export async function dragNode(page) {
  const box = await freeNode(page)
  await drag(page, { x: box.x + 120, y: box.y + 20 }, 180, 90, 90)
}

/** A card in the uncovered middle of the page. */
async function freeNode(page) {
  for (const node of await page.locator('.react-flow__node-card').all()) {
    const box = await node.boundingBox()
    if (box && box.x > 300 && box.x < 800 && box.y > 150 && box.y < 600) return box
  }
  throw new Error('No card lies in the middle.')
}

export async function wheel(page) {
  await page.mouse.move(700, 450)
  for (let step = 0; step < 60; step++) {
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, step % 20 < 10 ? 30 : -30)
    await page.keyboard.up('Control')
  }
}

export async function typing(page) {
  const box = await freeNode(page)
  await page.mouse.click(box.x + 120, box.y + 20)
  const field = page.getByRole('region', { name: 'Inspector' }).locator('textarea, input[type=text]').first()
  await field.click()
  const times = []
  for (const key of 'a frosted can on warm cedar') {
    times.push(
      await field.evaluate(async (element, letter) => {
        const start = performance.now()
        const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set
        setter.call(element, element.value + letter)
        element.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        return performance.now() - start
      }, key),
    )
  }
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length / 2)]
}

/** The time from the press of "Tidy up" until the cards have other places. */
export async function tidying(page) {
  return page.evaluate(async () => {
    const place = () => document.querySelector('.react-flow__node-card, .react-flow__node')?.style.transform
    const button = document.querySelector('button[aria-label="Tidy up"]')
    const before = place()
    const start = performance.now()
    button.click()
    const deadline = start + 20_000
    while (place() === before && performance.now() < deadline)
      await new Promise((done) => requestAnimationFrame(done))
    return performance.now() - start
  })
}

/** The time between two frames while a run sends 200 events per second and the canvas is panned. */
export async function running(page, { flow, streams }) {
  const stop = page.getByRole('button', { name: 'Stop' })
  if ((await stop.count()) === 0) await page.getByRole('button', { name: 'Run', exact: true }).click()
  await stop.waitFor()
  const feed = setInterval(() => {
    for (let count = 0; count < 4; count++) tell(flow, streams)
  }, 20)
  const gap = await perFrame(page, () => scroll(page, { x: 640, y: 600 }, 200, 120, 120))
  clearInterval(feed)
  return gap
}

let sent = 1

function tell(flow, streams) {
  const step = flow.nodes[sent % flow.nodes.length].id
  const data = { seq: ++sent, time: Date.now() / 1000, ...EVENTS[sent % EVENTS.length], step }
  for (const stream of streams) stream.write(`id: ${sent}\ndata: ${JSON.stringify(data)}\n\n`)
}

const EVENTS = [
  { type: 'step.started', data: {} },
  { type: 'step.progress', data: { fraction: 0.4, message: '' } },
  { type: 'step.partial', data: { port: 'output', delta: 'Late August, a frosted can. ' } },
]
