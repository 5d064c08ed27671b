import { useRef } from 'react'
import { isApiError } from './api/error'
import { randomId } from './ids'

/**
 * The idempotency key of a request. It is kept until the server has answered: a repeat after a lost response returns
 * what was created, instead of creating it again.
 */
export function useAttempt() {
  const held = useRef<{ asked: string; key: string } | null>(null)
  return {
    keyOf(request: unknown): string {
      const asked = JSON.stringify(request)
      if (held.current?.asked !== asked) held.current = { asked, key: randomId() }
      return held.current.key
    },
    done(): void {
      held.current = null
    },
  }
}

/** An error response means that nothing was created. */
export function wasRejected(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500
}

/** Returns a function that runs `work`, and does nothing while an earlier call is pending. */
export function useExclusive<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const pending = useRef(false)
  return async (...args: Args): Promise<void> => {
    if (pending.current) return
    pending.current = true
    try {
      await work(...args)
    } finally {
      pending.current = false
    }
  }
}

type Mutation<Variables> = { mutateAsync: (variables: Variables) => Promise<unknown> }

/** `mutate` of a mutation, which does nothing while an earlier call is pending. */
export function useExclusiveMutate<Variables = void>({ mutateAsync }: Mutation<Variables>) {
  return useExclusive((variables: Variables) => mutateAsync(variables).catch(() => undefined))
}
