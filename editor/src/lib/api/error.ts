import { i18n } from '../i18n'

/** A validation error of one request field. */
export type FieldError = { path: string; code: string; message: string }

type Problem = {
  title?: string
  detail?: string
  code?: string
  errors?: FieldError[]
  book_a_call_url?: string | null
  problems?: unknown[]
  challenge_token?: string
  factors?: string[]
}

/** An error response, or a failed request. `message` is the sentence to show. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 when there was no response. */
  readonly status: number
  readonly code: string
  readonly errors: FieldError[]
  readonly bookACallUrl: string | null
  /** The problems of the flow, when it could not be compiled. */
  readonly problems: unknown[]
  /** The token and the choices of a second factor, when one is required. */
  readonly secondFactor: { token: string; factors: string[] } | null
  readonly retryAfter: number | null
  readonly requestId: string | null

  constructor(status: number, problem: Problem, headers?: Headers) {
    super(problem.detail || problem.title || i18n.t('errors:unexpected'))
    this.status = status
    this.code = problem.code ?? 'unexpected'
    this.errors = problem.errors ?? []
    this.bookACallUrl = problem.book_a_call_url ?? null
    this.problems = problem.problems ?? []
    this.secondFactor = problem.challenge_token
      ? { token: problem.challenge_token, factors: problem.factors ?? [] }
      : null
    this.retryAfter = Number(headers?.get('Retry-After')) || null
    this.requestId = headers?.get('X-Request-ID') ?? null
  }

  static unreachable(): ApiError {
    return new ApiError(0, { code: 'unreachable', detail: i18n.t('errors:unreachable') })
  }

  /** Reads an error response; anything but a problem document becomes the generic error. */
  static async from(response: Response): Promise<ApiError> {
    const problem = await response.json().catch(() => ({}))
    return new ApiError(response.status, isProblem(problem) ? problem : {}, response.headers)
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && ('detail' in body ? typeof body.detail === 'string' : true)
  )
}

/** Thrown when the bearer token is not a valid header value. */
export class SessionInvalid extends Error {
  override readonly name = 'SessionInvalid'
  constructor() {
    super('Authentication session is invalid')
  }
}

/** The message of any thrown value, for display. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError || error instanceof SessionInvalid
    ? error.message
    : i18n.t('errors:unexpected')
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code)
}
