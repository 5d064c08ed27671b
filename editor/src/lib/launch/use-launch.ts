import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { assetType } from '@/graph/catalog'
import { assetsQuery } from '../api/assets'
import { isApiError } from '../api/error'
import type { FlowDetail } from '../api/flows'
import type { Run } from '../api/runs'
import { useAttempt, useExclusiveMutate, wasRejected } from '../attempt'
import {
  agentBrand,
  type BrandValue,
  brandField,
  brandValue,
  choiceOf,
  chooseBrand,
  isBrandValue,
  isGone,
  useBrandOptions,
  useChosenBrand,
} from './brands'
import { acceptedValues, forgetInputs, saveInput, saveInputs, useCustomization } from './customization'
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
import { edgesOf, isMaskField, maskedImage, withMask } from './masked-image'
import { startPendingLaunch } from './pending-launches'
import { type Budget, useBudget } from './use-budget'
import { type Uploads, useUploads } from './use-uploads'

export type Launch = {
  fields: Field[]
  prompt: string
  setPrompt: (text: string) => void
  /** Every field as a launch would send it now: prompt and images assigned to their fields. */
  filled: Inputs
  change: (field: Field, value: unknown) => void
  reset: () => void
  /** The image on which the mask of a field is painted: see `maskedImage`. */
  imageOf: (field: Field) => string | null | undefined
  /** The brand of the launch, if the agent has one. */
  brand: LaunchBrand | null
  /** The amount at which the run stops. */
  budget: Budget
  uploads: Uploads
  missing: Field[]
  /** The estimated cost and time of a launch now. */
  estimate: Estimate | null
  /** Number of assets in the bar that no field accepts. */
  unused: number
  /** Whether one of them is not an image. */
  hasWrongType: boolean
  /** Whether assets from the library are still loading, so that their type is unknown. */
  isResolving: boolean
  imageCapacity: number
  /** Error messages of the server by field id. */
  rejected: Record<string, string>
  start: () => void
  starting: boolean
  /** Launching or launched: the bar must not be edited. */
  started: boolean
  error: unknown
  clearError: () => void
}

export type LaunchBrand = {
  field: Field
  value: BrandValue | null
  /** Also remembers it for the next agent. */
  choose: (value: BrandValue | null) => void
  /** The agent's own brand would apply, but was deleted or belongs to another user. */
  isGone: boolean
}

type LaunchOptions = {
  flow: FlowDetail | null | undefined
  /** The initial content of the bar: the inputs of a past launch, or a stored draft. */
  draft?: (Partial<Draft> & { mask?: string | undefined }) | undefined
  version?: number | 'draft' | null
  onStarted: (run: Run) => void
}

/** State and actions of the launch form: fields, prompt, images and the launch itself. */
export function useLaunch({ flow, draft, version = null, onStarted }: LaunchOptions): Launch {
  const fields = useMemo(() => fieldsOf(flow?.inputs), [flow?.inputs])
  const [prompt, setPrompt] = useState(draft?.prompt ?? '')
  const [changed, setChanged] = useState<Record<string, Inputs>>({})
  const uploads = useUploads(draft?.images)
  const flowId = flow?.id ?? ''
  // A past launch is repeated with its own values and brand; other launches start with those last set.
  const remembers = draft?.values === undefined
  const stored = useCustomization(remembers ? flowId : '')
  const before = useMemo(
    () => startingValues(fields, draft?.values ?? acceptedValues(fields, stored.values)),
    [fields, stored.values, draft?.values],
  )
  const brand = useRememberedBrand(fields, stored.values)
  const values = {
    ...(draft?.mask ? withMask(fields, before, draft.mask) : before),
    ...changed[flowId],
    ...(brand.field && remembers && { [brand.field.id]: brand.value }),
  }
  const { typeOf, asking } = useTypes(uploads)
  const inputs = launchInputs(fields, { values, prompt, images: uploads.assetIds }, typeOf)
  const asks = promptField(fields)
  const estimate = useEstimate(flow, inputs, version)
  const { unused } = placeMedia(fields, values, uploads.assetIds, typeOf)
  const put = (part: Inputs) => setChanged((known) => ({ ...known, [flowId]: { ...known[flowId], ...part } }))

  const budget = useBudget(flowId)
  const attempt = useAttempt()
  const starting = useMutation({
    mutationFn: () => {
      const limit = budget.usd !== null && {
        budget_usd: budget.usd,
        ...(budget.isUnpricedAllowed && { allow_unpriced: true }),
      }
      const body = { inputs, version, ...limit }
      return startPendingLaunch(flowId, body, attempt.keyOf({ flowId, ...body }))
    },
    onSuccess: (run) => {
      attempt.done()
      saveInputs(flowId, fields, inputs)
      onStarted(run)
    },
    onError: (error) => wasRejected(error) && attempt.done(),
  })
  const start = useExclusiveMutate(starting)

  function change(field: Field, value: unknown) {
    if (field.id === asks?.id) return setPrompt(typeof value === 'string' ? value : '')
    if (field.id === brand.field?.id) {
      chooseBrand(choiceOf(brandOf(value)))
      if (remembers) return saveInput(flowId, field, value)
    }
    const held = uploads.items.filter((item) => item.assetId && holds(inputs[field.id], item.assetId))
    for (const item of held) uploads.remove(item.key)
    put({ [field.id]: value })
    if (remembers && field.exposed && field.kind !== 'media' && !isMaskField(field))
      saveInput(flowId, field, value)
  }

  return {
    fields,
    prompt,
    setPrompt,
    filled: { ...values, ...inputs, ...(asks && { [asks.id]: prompt }) },
    change,
    imageOf: (field) => maskedImage(field, fields, inputs, edgesOf(flow?.flow)),
    reset: () => {
      put(startingValues(fields, {}))
      budget.change('')
      if (remembers) forgetInputs(flowId)
    },
    brand: brand.field && {
      field: brand.field,
      value: brandOf(values[brand.field.id]),
      choose: (value) => brand.field && change(brand.field, value),
      isGone: brandOf(values[brand.field.id]) === null && brand.isGone,
    },
    budget,
    uploads,
    missing: missingFields(fields, inputs),
    estimate,
    unused: asking ? 0 : unused.length,
    hasWrongType: unused.some((id) => typeOf(id) !== 'Image'),
    isResolving: asking || stored.isPending || (remembers && brand.isPending),
    imageCapacity: imageCapacity(fields),
    rejected: rejectedFields(starting.error, fields),
    start: () => void start(),
    starting: starting.isPending,
    started: starting.isPending || starting.isSuccess,
    error: starting.error,
    clearError: starting.reset,
  }
}

function brandOf(value: unknown): BrandValue | null {
  return isBrandValue(value) ? value : null
}

/** The first brand field of an agent, with the brand last chosen for it, else for any agent, else the default one. */
function useRememberedBrand(fields: readonly Field[], stored: Inputs) {
  const field = brandField(fields)
  const known = useBrandOptions(field !== null)
  const last = useChosenBrand((state) => state.choice)
  const own = field && brandOf(stored[field.id])
  const choice = own ? choiceOf(own) : last
  return {
    field,
    value: field && brandValue(field, choice, known),
    isPending: known.isPending && (choice === null || choice.kind === 'agent'),
    isGone: field !== null && isGone(agentBrand(field), known),
  }
}

/** Uploads in the bar are images; assets from the library may have any type. */
function useTypes({ items }: Uploads): { typeOf: TypeOf; asking: boolean } {
  const sent = items.flatMap(({ preview, assetId }) => (preview === null && assetId ? [assetId] : []))
  const { data, isLoading: asking } = useQuery({ ...assetsQuery(sent), enabled: sent.length > 0 })
  const kinds = new Map(data?.map(({ id, kind }) => [id, kind]))
  return { typeOf: (id) => assetType(kinds.get(id) ?? 'image'), asking }
}

function holds(value: unknown, assetId: string): boolean {
  return JSON.stringify(value ?? null).includes(assetId)
}

/** Errors of a refused launch (`inputs.<field>` or `inputs.<field>.…`), by field. */
export function rejectedFields(error: unknown, fields: readonly Field[] = []): Record<string, string> {
  if (!isApiError(error, 'inputs_invalid')) return {}
  const ids = new Set(fields.map(({ id }) => id))
  const named = error.errors.map(({ path, message }) => {
    const [first, second, third] = path.split('.')
    // The id of an exposed setting is `node.setting`.
    const exposed = `${second}.${third}`
    return [ids.has(exposed) ? exposed : ((first === 'inputs' ? second : first) ?? path), message] as const
  })
  return Object.fromEntries(named.reverse())
}
