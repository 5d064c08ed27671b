import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { ByEnvironment } from './vite/by-environment.ts'

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    // Tests that render need a DOM and set it in their first line: `// @vitest-environment jsdom`.
    environment: 'node',
    pool: 'threads',
    maxWorkers: availableParallelism(),
    // Files share a worker with its DOM and its libraries: making those for each file took most of the time.
    // `src/test/setup.ts` gives each file its own copy of our modules, so that no file sees another's state.
    isolate: false,
    sequence: { sequencer: ByEnvironment },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    // Generous timeouts, so that tests pass on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    css: false,
  },
})
