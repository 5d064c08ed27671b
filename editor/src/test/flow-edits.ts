import fc from 'fast-check'
import type { FlowDocument } from '@/graph/document'
import { groupNodes } from '@/graph/edits/annotations'
import { connect, insertInto } from '@/graph/edits/edges'
import { addNode, moveNodes, removeNodes, renameNode, setSetting } from '@/graph/edits/nodes'
import { duplicate } from '@/graph/edits/paste'
import { SAMPLE } from './flow-samples'

type Edit = (document: FlowDocument) => FlowDocument

const types = SAMPLE.types
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
const idAt = (flow: FlowDocument, at: number) => pick(flow.nodes, at)?.id ?? 'missing'
const anyInt = fc.nat({ max: 50 })

/** Any single edit of a flow. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(anyInt, anyInt, anyInt).map(
    ([type, x, y]): Edit =>
      (flow) =>
        addNode(flow, pick(types, type) as (typeof types)[number], { x, y }).document,
  ),
  anyInt.map(
    (at): Edit =>
      (flow) =>
        removeNodes(flow, new Set([idAt(flow, at)])),
  ),
  fc.tuple(anyInt, anyInt).map(
    ([at, x]): Edit =>
      (flow) =>
        moveNodes(flow, new Map([[idAt(flow, at), { x, y: x }]])),
  ),
  fc.tuple(anyInt, fc.string()).map(
    ([at, title]): Edit =>
      (flow) =>
        renameNode(flow, idAt(flow, at), title),
  ),
  fc.tuple(anyInt, fc.jsonValue()).map(
    ([at, value]): Edit =>
      (flow) =>
        setSetting(flow, idAt(flow, at), 'model', value),
  ),
  anyInt.map(
    (at): Edit =>
      (flow) =>
        duplicate(flow, new Set([idAt(flow, at)])).document,
  ),
  anyInt.map(
    (at): Edit =>
      (flow) =>
        flow.nodes.length === 0 ? flow : groupNodes(flow, [idAt(flow, at), idAt(flow, at + 1)]).document,
  ),
  fc.tuple(anyInt, anyInt).map(
    ([from, to]): Edit =>
      (flow) => {
        const [source, target] = [pick(flow.nodes, from), pick(flow.nodes, to)]
        const input = target && SAMPLE.type(target.type)?.inputs[0]
        if (!source || !target || !input) return flow
        return connect(
          flow,
          SAMPLE,
          { node: source.id, port: 'output' },
          { node: target.id, port: input.name },
        )
      },
  ),
  fc.tuple(anyInt, anyInt).map(
    ([edge, node]): Edit =>
      (flow) => {
        const chosen = pick(flow.edges, edge)
        return chosen ? insertInto(flow, SAMPLE, chosen, idAt(flow, node)) : flow
      },
  ),
)
