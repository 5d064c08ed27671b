import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlowDetail } from '../api/flows'
import { estimateQuery } from '../api/runs'
import { dollars } from '../format'
import type { Inputs } from './inputs'

/** A length of time to expect: coarse on purpose, since it is a guess. */
export function formatExpectedSeconds(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return null
  if (seconds < 1.5) return 'about 1 s'
  if (seconds < 10) return `about ${Math.round(seconds)} s`
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`
  return `about ${Math.round(seconds / 60)} min`
}

export type Estimate = { usd?: string | number | null; seconds?: number | null }

/** What a launch will take, for the line beside the button; what nobody knows is left out. */
export function formatEstimate(estimate: Estimate | null | undefined): string[] {
  const usd = estimate?.usd
  const words = [
    formatExpectedSeconds(estimate?.seconds),
    usd === null || usd === undefined ? null : dollars(usd),
  ]
  return words.filter((word): word is string => word !== null)
}

const DEBOUNCE_MS = 250

/**
 * What the launch would take with the inputs as they stand. Until the server has said so, and when it cannot, what
 * the agent takes as it comes.
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
    // Another number in the same form may not blink; another agent's may not stay.
    placeholderData: (before, query) =>
      query?.queryKey[2] === asked.flowId ? keepPreviousData(before) : undefined,
  })
  return (current ? data : undefined) ?? flow?.estimate ?? null
}

/** A text once it has not changed for a moment. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
