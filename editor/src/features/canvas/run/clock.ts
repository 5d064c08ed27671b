interface Clock {
  /** The time of the last tick, in epoch seconds; without subscribers the present time, at most one interval old. */
  now(): number
  /** Calls `onTick` at each tick. Returns a function that ends it. */
  subscribe(onTick: () => void): () => void
}

/**
 * A clock whose subscribers all tick at once, every `interval` milliseconds: timers of their own would make the page
 * render as often as there are running cards in sight.
 */
export function createClock(interval: number): Clock {
  const subscribers = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let milliseconds = Date.now()
  const tick = () => {
    milliseconds = Date.now()
    for (const onTick of [...subscribers]) onTick()
  }
  return {
    now() {
      if (subscribers.size === 0 && Date.now() - milliseconds > interval) milliseconds = Date.now()
      return milliseconds / 1000
    },
    subscribe(onTick) {
      if (subscribers.size === 0) {
        milliseconds = Date.now()
        timer = setInterval(tick, interval)
      }
      subscribers.add(onTick)
      return () => {
        subscribers.delete(onTick)
        if (subscribers.size === 0) clearInterval(timer)
      }
    },
  }
}
