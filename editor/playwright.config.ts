import { defineConfig } from '@playwright/test'
import { findChromium } from './e2e/fixtures/chromium'

const executablePath = findChromium()
/** Files whose tests take screenshots. */
const pictures = ['screens.spec.ts', 'tutorials.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Three use two cores fully: a test waits for pauses of the editor and for runs a sixth of its time.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Generous timeouts, so that tests pass on a slow or busy machine.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording costs a third of the time of all tests: `npx playwright test --trace retain-on-failure` where needed.
    trace: 'off',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  },
  projects: [
    { name: 'e2e', testIgnore: pictures, grepInvert: /@thorough/ },
    { name: 'thorough', testIgnore: pictures },
    { name: 'screens', testMatch: pictures },
  ],
})
