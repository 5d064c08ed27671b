import type { Session } from '@/document/session'
import { type Bridge, judge, titleOf } from '@/graph/connect'
import { type End, type FlowDocument, type FlowEdge, formatEnd } from '@/graph/document'
import { inputPorts, outputPorts, type Port } from '@/graph/ports'
import type { Side } from '../interactions/accepting-ports'
import { ordered } from '../interactions/connection-target'

/** A port that could be the other end, and what joining the two would mean. */
export interface Candidate {
  readonly from: End
  readonly to: End
  readonly other: End
  readonly node: string
  readonly port: Port
}

export interface Fitting extends Candidate {
  /** The type that values become on the way. */
  readonly becomes: string | null
  readonly once: boolean
  readonly replaces: FlowEdge | null
}

export interface Refused extends Candidate {
  readonly reason: string
  readonly bridges: readonly Bridge[]
}

/** More than this nobody reads; those that a node between would mend come first. */
const MOST_REFUSED = 60

/** Every port on the other side, parted into those that fit and those that do not, each with why. */
export function connectionsOf(session: Session, end: End, side: Side) {
  const { document, catalogue } = session
  const fitting: Fitting[] = []
  const refused: Refused[] = []
  for (const one of candidatesOf(session, end, side)) {
    const verdict = judge(document, catalogue, one.from, one.to)
    if (!verdict.allowed) refused.push({ ...one, reason: verdict.reason, bridges: verdict.bridges })
    else if (!isDrawn(document, one)) {
      const { conversion, lift, replaces } = verdict
      fitting.push({ ...one, becomes: conversion?.to ?? null, once: lift > 0, replaces })
    }
  }
  refused.sort((one, two) => Number(two.bridges.length > 0) - Number(one.bridges.length > 0))
  return { fitting, refused: refused.slice(0, MOST_REFUSED) }
}

function isDrawn({ edges }: FlowDocument, { from, to }: Candidate): boolean {
  const [start, finish] = [formatEnd(from), formatEnd(to)]
  return edges.some((edge) => edge.from === start && edge.to === finish)
}

function candidatesOf({ document, catalogue }: Session, end: End, side: Side): Candidate[] {
  return document.nodes.flatMap((node) => {
    if (node.id === end.node) return []
    const type = catalogue.typeOf(node)
    const ports = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
    return ports.map((port) => {
      const other = { node: node.id, port: port.name }
      return { ...ordered(end, other, side), other, node: titleOf(node, catalogue), port }
    })
  })
}
