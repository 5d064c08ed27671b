import { useMemo } from 'react'
import { type FlowNode, variablesOf } from '@/graph/document'
import { boundNode } from '@/graph/variables'
import { useDocument } from './use-session'

/** The node with the values of variables in the settings that they set. */
export function useBoundNode(node: FlowNode): FlowNode {
  const variables = useDocument(variablesOf)
  return useMemo(() => boundNode(node, variables), [node, variables])
}
