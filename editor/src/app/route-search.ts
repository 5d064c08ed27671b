import { type AgentTab, CATEGORIES, type Category } from '@/lib/agents/categories'
import type { AdminFilters } from '@/lib/api/admin'
import type { LibraryFilters } from '@/lib/api/assets'

/** The selected tab of the agent list. */
export type AgentsSearch = { tab?: AgentTab | undefined; category?: Category | undefined }

export function agentsSearch(search: Record<string, unknown>): AgentsSearch {
  const tab = (['product', 'own'] as const).find((one) => one === search.tab)
  const category = CATEGORIES.find((one) => one === search.category)
  return { ...(tab && { tab }), ...(category && { category }) }
}

const KINDS = ['image', 'video', 'audio', 'text', 'file'] as const
const SOURCES = ['run', 'upload'] as const
const TEXTS = ['q', 'flow_id', 'since', 'until', 'tag', 'collection_id'] as const

/** The filters of the library. */
export function librarySearch(search: Record<string, unknown>): LibraryFilters {
  const kind = KINDS.find((one) => one === search.kind)
  const source = SOURCES.find((one) => one === search.source)
  return {
    ...(kind && { kind }),
    ...(source && { source }),
    ...(search.favourite === true && { favourite: true }),
    ...(search.intermediate === true && { intermediate: true }),
    ...textsOf(search, TEXTS),
  }
}

const RUN_STATUSES = ['running', 'finished', 'failed', 'cancelled'] as const
const RUN_PERIODS = [1, 7, 30] as const

/** The filters of the list of runs. `days` is how far back it goes, with today. */
export type RunsSearch = {
  status?: (typeof RUN_STATUSES)[number] | undefined
  days?: (typeof RUN_PERIODS)[number] | undefined
  q?: string | undefined
  flow_id?: string | undefined
  brand_id?: string | undefined
}

export function runsSearch(search: Record<string, unknown>): RunsSearch {
  const status = RUN_STATUSES.find((one) => one === search.status)
  const days = RUN_PERIODS.find((one) => one === Number(search.days))
  return {
    ...(status && { status }),
    ...(days && { days }),
    ...textsOf(search, ['q', 'flow_id', 'brand_id']),
  }
}

/** Whether a run opens with its inputs, to launch it again. */
export function runSearch({ relaunch }: Record<string, unknown>): { relaunch?: true } {
  return relaunch === true ? { relaunch } : {}
}

const ADMIN_FILTERS = ['q', 'status', 'user_id', 'flow_id'] as const

/** The filters of an admin page; each page ignores those that it does not have. */
export function adminSearch(search: Record<string, unknown>): AdminFilters {
  return textsOf(search, ADMIN_FILTERS)
}

function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search[name]
    // The router parses `q=9` as a number.
    if (typeof value === 'string' || typeof value === 'number') texts[name] = String(value)
  }
  return texts
}

const IMPORTS = ['pdf', 'website', 'images', 'file'] as const

/** Whether the form of a new brand is open, or what a brand is being imported from. */
export function brandsSearch(search: Record<string, unknown>): {
  new?: true | undefined
  import?: (typeof IMPORTS)[number] | undefined
} {
  const source = IMPORTS.find((one) => one === search.import)
  return { ...(search.new === true && { new: true }), ...(source && { import: source }) }
}

const FAILURES = ['oidc', 'suspended', 'sign_up'] as const
type SignInFailure = (typeof FAILURES)[number]

/** Search parameters of the sign-in pages. */
export type SignInSearch = {
  /** Where to go after signing in. */
  next?: string | undefined
  /** Returned from an OIDC provider, with a session in the cookie. */
  arrived?: boolean | undefined
  /** Returned from an OIDC provider without a session. */
  failed?: SignInFailure | undefined
}

export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const failed = FAILURES.find((one) => one === search.failed)
  return {
    ...returnSearch(search),
    ...(search.arrived === true && { arrived: true }),
    ...(failed && { failed }),
  }
}

/** Only the target after signing in. */
export function returnSearch(search: Record<string, unknown>): { next?: string | undefined } {
  return typeof search.next === 'string' ? { next: search.next } : {}
}

/** `step=code` is the second step of a password reset. */
export function forgetPasswordSearch({ step }: Record<string, unknown>): { step?: 'code' } {
  return step === 'code' ? { step } : {}
}

/** What to start Home with. */
export type HomeSearch = {
  agent?: string | undefined
  images?: string[] | undefined
  /** The asset id of a mask that was painted on the image. */
  mask?: string | undefined
}

/** An agent and images to start with: the library links to an agent with them. Old links name the images `pictures`. */
export function homeSearch({ agent, images, pictures, mask }: Record<string, unknown>): HomeSearch {
  const given = images ?? pictures
  const ids = Array.isArray(given) ? given.filter((id) => typeof id === 'string') : []
  return {
    ...(typeof agent === 'string' && { agent }),
    ...(ids.length > 0 && { images: ids }),
    ...(typeof mask === 'string' && { mask }),
  }
}

/** What the canvas shows besides its agent. */
export type FlowSearch = {
  /** The run to show. */
  run?: string | undefined
  /** The comparison of settings to show. */
  compare?: string | undefined
  /** The agents from which this one was opened, outermost first. */
  outer?: string[] | undefined
}

export function flowSearch({ run, compare, outer }: Record<string, unknown>): FlowSearch {
  const ids = Array.isArray(outer) ? outer.filter((id) => typeof id === 'string' && id !== '') : []
  return {
    ...(typeof run === 'string' && run && { run }),
    ...(typeof compare === 'string' && compare && { compare }),
    ...(ids.length > 0 && { outer: ids }),
  }
}
