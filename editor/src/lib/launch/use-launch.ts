import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { assetType } from '@/graph/catalog'
import { assetsQuery } from '../api/assets'
import { isApiError } from '../api/error'
import type { FlowDetail } from '../api/flows'
import { type Run, startRun } from '../api/runs'
import { randomId } from '../ids'
import { type Estimate, useEstimate } from './estimate'
import { type Field, fieldsOf, promptField } from './fields'
import {
  type Draft,
  type Inputs,
  imageCapacity,
  launchInputs,
  missingFields,
  placeMedia,
  startingValues,
  type TypeOf,
} from './inputs'
import { readLastInputs, saveLastInputs } from './saved-launch'
import { type Uploads, useUploads } from './use-uploads'

export type Launch = {
  fields: Field[]
  prompt: string
  setPrompt: (text: string) => void
  /** Every field as a launch would send it now: the prompt and the pictures in their places. */
  filled: Inputs
  change: (field: Field, value: unknown) => void
  reset: () => void
  uploads: Uploads
  missing: Field[]
  /** What pressing Launch now would take. */
  estimate: Estimate | null
  /** How many of the bar's assets the agent has no place for. */
  unused: number
  /** One of them is no picture. */
  hasWrongType: boolean
  /** What the library sent is still being asked for: where it goes is not known yet. */
  isResolving: boolean
  imageCapacity: number
  /** Sentences of the server about single fields, by the field's id. */
  rejected: Record<string, string>
  start: () => void
  starting: boolean
  /** Under way or done: what was typed belongs to the run now. */
  started: boolean
  error: unknown
  clearError: () => void
}

type LaunchOptions = {
  flow: FlowDetail | null | undefined
  /** What the bar opens with: an earlier launch's own inputs, or a kept draft. */
  draft?: Partial<Draft> | undefined
  version?: number | 'draft' | null
  onStarted: (run: Run) => void
}

/** All that stands between a person and a launch: the form, the prompt, the pictures, and the start itself. */
export function useLaunch({ flow, draft, version = null, onStarted }: LaunchOptions): Launch {
  const fields = useMemo(() => fieldsOf(flow?.inputs), [flow?.inputs])
  const [prompt, setPrompt] = useState(draft?.prompt ?? '')
  const [changed, setChanged] = useState<Record<string, Inputs>>({})
  const uploads = useUploads(draft?.images)
  const flowId = flow?.id ?? ''
  const before = useMemo(
    () => startingValues(fields, draft?.values ?? readLastInputs(flowId)),
    [fields, flowId, draft?.values],
  )
  const values = useMemo(() => ({ ...before, ...changed[flowId] }), [before, changed, flowId])
  const { typeOf, asking } = useTypes(uploads)
  const inputs = launchInputs(fields, { values, prompt, images: uploads.assetIds }, typeOf)
  const asks = promptField(fields)
  const estimate = useEstimate(flow, inputs, version)
  const { unused } = placeMedia(fields, values, uploads.assetIds, typeOf)
  const put = (part: Inputs) => setChanged((known) => ({ ...known, [flowId]: { ...known[flowId], ...part } }))

  const attempt = useAttempt()
  const starting = useMutation({
    mutationFn: () => startRun(flowId, { inputs, version }, attempt.keyOf({ flowId, inputs, version })),
    onSuccess: (run) => {
      attempt.done()
      saveLastInputs(flowId, fields, inputs)
      onStarted(run)
    },
    onError: (error) => rejectedFor(error) && attempt.done(),
  })

  function change(field: Field, value: unknown) {
    if (field.id === asks?.id) return setPrompt(typeof value === 'string' ? value : '')
    const held = uploads.items.filter((item) => item.assetId && holds(inputs[field.id], item.assetId))
    for (const item of held) uploads.remove(item.key)
    put({ [field.id]: value })
  }

  return {
    fields,
    prompt,
    setPrompt,
    filled: { ...values, ...inputs, ...(asks && { [asks.id]: prompt }) },
    change,
    reset: () => put(startingValues(fields, {})),
    uploads,
    missing: missingFields(fields, inputs),
    estimate,
    unused: asking ? 0 : unused.length,
    hasWrongType: unused.some((id) => typeOf(id) !== 'Image'),
    isResolving: asking,
    imageCapacity: imageCapacity(fields),
    rejected: rejectedFields(starting.error),
    start: () => starting.isPending || starting.mutate(),
    starting: starting.isPending,
    started: starting.isPending || starting.isSuccess,
    error: starting.error,
    clearError: starting.reset,
  }
}

/** What is uploaded in the bar is pictures; what the library sent may be anything. */
function useTypes({ items }: Uploads): { typeOf: TypeOf; asking: boolean } {
  const sent = items.flatMap(({ preview, assetId }) => (preview === null && assetId ? [assetId] : []))
  const { data, isLoading: asking } = useQuery({ ...assetsQuery(sent), enabled: sent.length > 0 })
  const kinds = new Map(data?.map(({ id, kind }) => [id, kind]))
  return { typeOf: (id) => assetType(kinds.get(id) ?? 'image'), asking }
}

/**
 * The key under which a launch is sent. It stays until the launch has been answered for: pressing again after a lost
 * answer gets the run that was started, and the quota counts one.
 */
function useAttempt() {
  const held = useRef<{ asked: string; key: string } | null>(null)
  return {
    keyOf(launch: unknown): string {
      const asked = JSON.stringify(launch)
      if (held.current?.asked !== asked) held.current = { asked, key: randomId() }
      return held.current.key
    },
    done(): void {
      held.current = null
    },
  }
}

/** The server has said no, so nothing can have started. */
function rejectedFor(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500
}

function holds(value: unknown, assetId: string): boolean {
  return JSON.stringify(value ?? null).includes(assetId)
}

/** `inputs.<field>` or `inputs.<field>.…` of a refused launch, by field. */
export function rejectedFields(error: unknown): Record<string, string> {
  if (!isApiError(error, 'inputs_invalid')) return {}
  const named = error.errors.map(({ path, message }) => {
    const [first, second] = path.split('.')
    return [(first === 'inputs' ? second : first) ?? path, message] as const
  })
  return Object.fromEntries(named.reverse())
}
