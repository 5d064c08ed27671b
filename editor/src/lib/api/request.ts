import { send } from './send'

type Query = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>

export type RequestOptions = {
  query?: Query
  /** Sent as JSON; a FormData is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Idempotency key of a POST: a repeated request gets the first response. */
  idempotencyKey?: string
}

export type Answer<T> = { data: T; headers: Headers; status: number }

/** Sends one request to the server. Throws an ApiError unless it succeeds. */
export async function call<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const response = await send(address(path, options.query), {
    method,
    headers: headersOf(options),
    body: bodyOf(options.body),
    signal: options.signal ?? null,
    credentials: 'same-origin',
  })
  const data = (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T
  return { data, headers: response.headers, status: response.status }
}

/** The same, returning only the body. */
export async function request<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  return (await call<T>(method, path, options)).data
}

function address(path: string, query: Query = {}): string {
  const url = new URL(`/api/v1${path}`, window.location.origin)
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  return url.toString()
}

function headersOf({ body, headers, idempotencyKey }: RequestOptions): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...headers,
  }
}

function bodyOf(body: unknown): BodyInit | null {
  if (body === undefined) return null
  return body instanceof FormData ? body : JSON.stringify(body)
}

/** The data of a generated client call, without its request and response. */
export async function unwrap<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  return (await call).data
}
