import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { createFlow, flowNode } from './editor/canvas'
import { heldFlow, imagesFlow } from './editor/flows'
import { expect, test as newPageTest, type Server, keptTest as test } from './fixtures'
import { apiOf, closeByEscape, post } from './fixtures/dialogs'
import { dropFile } from './fixtures/image-file'

const PROMPT = 'A cold-brew can in late-summer light, condensation, a hand reaching in.'

/** As the built-in kit, but with a video that is rendered in a second. */
const kit = {
  nodes: [
    flowNode('prompt', 'user_prompt', 0, 0, { text: 'Launch visuals' }),
    { ...flowNode('write', 'language_model', 320, 0), title: 'Launch copy' },
    { ...flowNode('images', 'image_generation', 320, 200, { n_images: 3 }), title: 'Hero images' },
    { ...flowNode('speak', 'text_to_speech', 640, 0), title: 'Voice-over' },
    { ...flowNode('frame', 'image_generation', 320, 400), title: 'Frame' },
    {
      ...flowNode('teaser', 'still_to_video', 640, 400, { duration: 1, height: 360, aspect_ratio: '16:9' }),
      title: 'Teaser',
    },
  ],
  edges: [
    { from: 'prompt.output', to: 'write.prompt' },
    { from: 'prompt.output', to: 'images.prompt' },
    { from: 'prompt.output', to: 'frame.prompt' },
    { from: 'prompt.output', to: 'speak.text' },
    { from: 'frame.output', to: 'teaser.image' },
  ],
}

async function launchKit(page: Page, server: Server, token: string): Promise<void> {
  const id = await createFlow(page.request, server.url, token, { name: 'Product kit', flow: kit })
  await post(page.request, `${apiOf(server)}/flows/${id}/publish`, token, {})
  await page.goto(`/?agent=${id}`)
  await page.getByLabel('Your prompt').fill(PROMPT)
  await expect(page.getByText(/Product kit.*about.*\$/)).toBeVisible()
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
}

/** Launches an agent of four images and a held text, and opens its run. */
async function launchImages(page: Page, server: Server, token: string): Promise<void> {
  const id = await createFlow(page.request, server.url, token, { name: 'Cans', flow: heldFlow(imagesFlow) })
  const response = await page.request.post(`${server.url}/api/v1/flows/${id}/runs`, {
    data: { inputs: { ask: PROMPT }, version: 'draft' },
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(response.status(), await response.text()).toBe(202)
  await page.goto(`/run/${(await response.json()).id}`)
  await expect(page.getByText('Running...')).toBeVisible()
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

test.describe('a launch', () => {
  test('produces images, a video, a voice-over and text that can be viewed, played and downloaded', async ({
    signedInPage: page,
    server,
    token,
  }) => {
    await launchKit(page, server, token)
    await expect(page.getByRole('heading', { name: 'Product kit' })).toBeVisible()
    await expect(page.getByText(PROMPT).first()).toBeVisible()
    await expect(page.getByText('Running...')).toBeVisible()
    const loading =
      /Looking for inspiration\.\.\.|Doing some magic\.\.\.|Adding the final touch\.\.\.|Generating assets\.\.\./
    await expect(page.getByText(loading).first()).toBeVisible()

    await expect(page.getByRole('button', { name: /^View Hero/ }).first()).toBeVisible()
    const positions = await mediaPositions(page)
    await page.reload()
    await expect(page.getByText(PROMPT).first()).toBeVisible()
    await expect(page.getByText('Finished')).toBeVisible()
    await expect.poll(() => mediaPositions(page)).toEqual(positions)

    await test.step('the image loads', async () => {
      const image = page
        .getByRole('button', { name: /^View Hero/ })
        .first()
        .getByRole('img')
      await expect
        .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
        .toBeGreaterThan(100)
    })

    await test.step('the video plays', async () => {
      await page.getByRole('button', { name: /^Play Teaser/ }).click()
      const video = page.locator('video').first()
      await expect
        .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
        .toBeGreaterThan(0.2)
      await video.evaluate((element: HTMLVideoElement) => element.pause())
    })

    await test.step('the voice-over plays', async () => {
      await page.getByRole('button', { name: 'Play Voice-over' }).click()
      await expect(page.getByRole('button', { name: 'Pause Voice-over' })).toBeVisible()
      await page.getByRole('button', { name: 'Pause Voice-over' }).click()
    })

    await test.step('the text is shown', async () => {
      const text = page.getByRole('region', { name: /Launch copy/ }).first()
      await expect(text).not.toBeEmpty()
    })

    await test.step('one result and all results can be downloaded', async () => {
      const [audio] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download Voice-over' }).click(),
      ])
      expect(audio.suggestedFilename()).toMatch(/^voice-over\.(wav|mp3)$/)
      const [all] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download all' }).click(),
      ])
      expect(all.suggestedFilename()).toMatch(/^product-kit-\d+\.zip$/)
      const zip = await bytesOf(all)
      expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
      for (const ending of ['.png', '.mp4', '.txt']) expect(zip.includes(ending)).toBe(true)
    })

    await test.step('the viewer works with the keyboard and shows how the image was made', async () => {
      await page
        .getByRole('button', { name: /^View Hero/ })
        .first()
        .focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      const viewer = page.getByRole('dialog')
      await expect(viewer.getByText('Provider')).toBeVisible()
      await expect(viewer.getByText('This machine', { exact: true })).toBeVisible()
      const before = await viewer.getByText(/^1 \/ \d+$/).textContent()
      await page.keyboard.press('ArrowRight')
      await expect(viewer.getByText(before?.replace('1 /', '2 /') ?? '')).toBeVisible()
      await expect(viewer.getByRole('link', { name: 'Open the agent at this version' })).toBeVisible()
      // One Escape is enough also while the button with the focus shows its tooltip.
      await page.keyboard.press('Tab')
      await expect(page.getByRole('tooltip', { name: 'Download' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(viewer).toBeHidden()
    })

    await test.step('two results can be compared', async () => {
      for (const number of [1, 2]) {
        await page.getByRole('button', { name: new RegExp(`^More for Hero images ${number}`) }).click()
        await page.getByRole('menuitem', { name: 'Compare' }).click()
      }
      const pair = page.getByRole('dialog', { name: 'Side by side' })
      await expect(pair.getByRole('img')).toHaveCount(2)
      await closeByEscape(pair)
    })

    type Run = { status: string; steps: { id: string; cached: boolean; outputs: object }[] }
    const runAt = async (address: string): Promise<Run> => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await page.request.get(address.replace('/run/', '/api/v1/runs/'), { headers })).json()
    }
    const stepsOf = async (address: string) => {
      const { steps } = await runAt(address)
      return (id: string) => steps.find((step) => step.id === id)
    }
    const makeAgain = async (tile: string) => {
      const address = page.url()
      await page.getByRole('button', { name: `More for ${tile}` }).click()
      await page.getByRole('menuitem', { name: 'Make again' }).click()
      await page.waitForURL((url) => url.pathname.startsWith('/run/') && url.href !== address)
      // The page may still show the end of the previous run, so the status comes from the server.
      const status = async () => (await runAt(page.url())).status
      await expect.poll(status).toBe('finished')
      await expect(page.getByText('Finished')).toBeVisible()
      return [await stepsOf(address), await stepsOf(page.url())] as const
    }
    await test.step('one of several images can be made again', async () => {
      const [before, now] = await makeAgain('Hero images 2')
      expect(now('speak')?.cached).toBe(true)
      const ids = [before, now].map((step) =>
        JSON.stringify(step('images')?.outputs).match(/"asset_id":"[^"]+"/g),
      )
      const reused = ids[0]?.map((id, place) => id === ids[1]?.[place])
      expect(reused).toEqual([true, false, true])
    })
  })

  test('stops on request and keeps finished results', async ({
    signedInPage: page,
    server,
    token,
    model: _,
  }) => {
    await launchImages(page, server, token)
    const image = page.getByRole('button', { name: /^View Image generation/ }).first()
    await expect(image).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('This run was stopped. Finished results are kept.')).toBeVisible()
    await expect(page.getByText(/^Stopped/).first()).toBeVisible()
    await page.reload()
    await expect(page.getByText(/^Stopped/).first()).toBeVisible()
    await expect(image).toBeVisible()
  })

  test('a downloaded image leads back to its run', { tag: '@thorough' }, async ({
    signedInPage: page,
    server,
    token,
  }) => {
    await launchKit(page, server, token)
    await expect(page.getByText('Finished')).toBeVisible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download Hero images 1/ }).click(),
    ])
    const image = (await bytesOf(download)).toString('base64')
    await page.goto('/')
    await expect(page.getByRole('radio').first()).toBeVisible()
    await dropFile(page, 'hero.png', image)
    await page.getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('dialog', { name: 'Made here?' })
    await expect(details.getByRole('heading', { name: 'Content Credentials' })).toBeVisible()
    await details.getByRole('link', { name: 'See how it was made' }).click()
    await page.waitForURL(/\/run\//)
    await expect(page.getByText(PROMPT).first()).toBeVisible()
  })

  // The canvas shows its run with the same events, and `make test` checks those.
  newPageTest(
    'continues after ten seconds offline',
    { tag: '@thorough' },
    async ({ signedInPage: page, server, token, context, model }) => {
      await page.clock.install()
      await launchImages(page, server, token)
      await context.setOffline(true)
      await expect(page.getByText(/You are offline/)).toBeVisible()
      await page.clock.fastForward(10_000)
      await context.setOffline(false)
      await expect(page.getByText(/You are offline/)).toBeHidden()
      model.finish()
      await expect(page.getByText('Finished')).toBeVisible()
      await expect(page.getByRole('button', { name: /^View Image generation/ })).toHaveCount(4)
    },
  )

  test('shows the current state after the server restarts', { tag: '@thorough' }, async ({
    signedInPage: page,
    server,
    token,
    model,
  }) => {
    await launchImages(page, server, token)
    await server.kill()
    await expect(page.getByText('Connection lost. Reconnecting…')).toBeVisible()
    await server.boot()
    await expect(page.getByText('Connection lost. Reconnecting…')).toBeHidden()
    model.finish()
    await expect(page.getByText('Finished')).toBeVisible()
    await expect(page.getByRole('button', { name: /^View Image generation/ })).toHaveCount(4)
  })
})

/** The positions of the image and video tiles, to detect layout shifts. */
async function mediaPositions(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Images and videos' })
  return list
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.getAttribute('style') ?? ''))
}
