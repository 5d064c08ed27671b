import { vi } from 'vitest'

// The files of a worker share its module cache and its globals. Each starts with the first state of our modules,
// which it evaluates again, and with the real clock; libraries are kept.
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

// Most tests need no DOM.
if (typeof document !== 'undefined') await import('./screen')
