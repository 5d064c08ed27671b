import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { fieldsToCompare, variantsOf } from '@/document/comparison'
import { lastInputs, saveDraft } from '@/document/run-actions'
import { useDocument, useSession } from '@/document/use-session'
import type { ComparisonDraft } from '@/document/view-store'
import type { FlowNode } from '@/graph/document'
import { comparisonEstimateQuery } from '@/lib/api/comparisons'

const DELAY_MS = 350

/** What the variants are expected to cost, once typing has paused; nothing while `enabled` is false. */
export function useComparisonEstimate(node: FlowNode, draft: ComparisonDraft, enabled: boolean) {
  const session = useSession()
  const document = useDocument((flow) => flow)
  const current = JSON.stringify(variantsOf(node, fieldsToCompare(session, node), draft))
  const variants = useSettled(current)
  const body = {
    node: node.id,
    variants: (JSON.parse(variants) as Record<string, unknown>[]).map((settings) => ({ settings })),
    inputs: { ...lastInputs(session) },
  }
  const { data, error, isFetching } = useQuery({
    ...comparisonEstimateQuery(
      session.flowId,
      body,
      useDeferredValue(JSON.stringify([document.nodes, document.edges])),
      () => saveDraft(session),
    ),
    // What was typed before may be refused: variants that were the same have just become different, say.
    enabled: enabled && variants === current,
    placeholderData: (last) => last,
  })
  return {
    estimate: data?.variants.length === body.variants.length + 1 ? data : undefined,
    error,
    isFetching,
  }
}

/** The value, once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
