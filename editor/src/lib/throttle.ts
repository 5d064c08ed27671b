/**
 * Calls `work` at once, and then at most once every `interval` milliseconds: calls that come earlier become one at the end of
 * the interval. `cancel` drops a call that waits.
 */
export function throttle(work: () => void, interval: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  const start = () => {
    isWaiting = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) start()
    }, interval)
    work()
  }
  return {
    call: () => {
      if (timer === undefined) start()
      else isWaiting = true
    },
    cancel: () => {
      clearTimeout(timer)
      timer = undefined
      isWaiting = false
    },
  }
}
