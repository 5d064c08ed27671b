import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlowDetail } from '../api/flows'
import { estimateQuery } from '../api/runs'
import { formatCost } from '../format'
import type { Inputs } from './inputs'

/** Formats an expected duration; rounded, since it is an estimate. */
export function formatExpectedSeconds(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return null
  if (seconds < 1.5) return 'about 1 s'
  if (seconds < 10) return `about ${Math.round(seconds)} s`
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`
  return `about ${Math.round(seconds / 60)} min`
}

/** What a launch will not do as asked, and what to do about it. */
export type Notice = {
  code: string
  message: string
  hint: string
  step?: string
  /** Values for settings of the step that would do as asked. */
  settings?: Readonly<Record<string, unknown>>
}

/** The expected cost of a node; `usd` leaves out what has no known price. */
export type StepCost = { node: string; usd: string | number; price_unknown?: boolean }

export type Estimate = {
  usd?: string | number | null
  seconds?: number | null
  price_unknown?: boolean
  based_on_runs?: number
  notices?: readonly Notice[]
  /** The nodes that cost something; only of a launch with given inputs. */
  steps?: readonly StepCost[]
}

/** The estimate shown beside the Launch button; unknown values are left out. */
export function formatEstimate(estimate: Estimate | null | undefined): string[] {
  const words = [formatExpectedSeconds(estimate?.seconds), formatCost(estimate)]
  return words.filter((word): word is string => Boolean(word))
}

const DEBOUNCE_MS = 250

/**
 * The estimate with the current inputs; until the server has answered, and if it cannot, that of the agent with its
 * defaults.
 */
export function useEstimate(
  flow: FlowDetail | null | undefined,
  inputs: Inputs,
  version: number | 'draft' | null,
): Estimate | null {
  const flowId = flow?.id ?? ''
  const settled = useDebounced(JSON.stringify({ flowId, inputs, version }))
  const asked = JSON.parse(settled) as { flowId: string; inputs: Inputs; version: typeof version }
  const current = asked.flowId === flowId
  const { data } = useQuery({
    ...estimateQuery(asked.flowId, asked.inputs, asked.version),
    enabled: current && flowId !== '' && Object.keys(asked.inputs).length > 0,
    // Keeps the old number while the same form is estimated again, but not that of another agent.
    placeholderData: (before, query) =>
      query?.queryKey[2] === asked.flowId ? keepPreviousData(before) : undefined,
  })
  return (current ? data : undefined) ?? flow?.estimate ?? null
}

/** The text, once it has not changed for `DEBOUNCE_MS`. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
