import { useRef } from 'react'
import { ApiError, isApiError } from './api/error'
import { i18n } from './i18n'

/** The server accepts no code of a form after so many wrong ones, and answers as for any wrong code. */
const MAX_WRONG = 5

const USED_UP = 'codes_used_up'

/** Counts the wrong codes of a form, and explains the fifth and later ones: a new code has to be requested. */
export function useWrongCodes() {
  const wrong = useRef(0)
  return {
    explained(error: unknown): unknown {
      if (!isApiError(error, 'code_invalid')) return error
      wrong.current += 1
      if (wrong.current < MAX_WRONG) return error
      return new ApiError(error.status, { code: USED_UP, detail: i18n.t('errors:codesUsedUp') })
    },
    /** Call when a new code was sent. */
    reset(): void {
      wrong.current = 0
    },
  }
}

export function isUsedUp(error: unknown): boolean {
  return isApiError(error, USED_UP)
}
