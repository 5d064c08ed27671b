import type { Session } from '@/document/session'
import { type Bridge, checkConnection, type RejectionReason, titleOf } from '@/graph/connect'
import { type End, type FlowDocument, type FlowEdge, formatEnd } from '@/graph/document'
import { inputPorts, outputPorts, type Port, settingPorts } from '@/graph/ports'
import { orderedEnds, type Side } from '../interactions/connection-target'

/** A candidate port for the other end, and the effect of connecting it. */
export interface Candidate {
  readonly from: End
  readonly to: End
  readonly other: End
  readonly node: string
  readonly port: Port
}

export interface CompatibleCandidate extends Candidate {
  /** The type into which values are converted. */
  readonly becomes: string | null
  readonly once: boolean
  readonly replaces: FlowEdge | null
}

export interface RejectedCandidate extends Candidate {
  readonly reason: RejectionReason
  readonly bridges: readonly Bridge[]
}

/** Limit of the listed ports that do not fit; those that an inserted node makes fit are listed first. */
const MAX_REJECTED = 60

/** Every port on the other side, divided into those that fit and those that do not, each with the reason. */
export function connectionCandidates(session: Session, end: End, side: Side) {
  const { document, catalog } = session
  const compatible: CompatibleCandidate[] = []
  const rejected: RejectedCandidate[] = []
  for (const one of candidatesOf(session, end, side)) {
    const verdict = checkConnection(document, catalog, one.from, one.to)
    if (!verdict.allowed && one.port.kind === 'setting') continue
    if (!verdict.allowed) rejected.push({ ...one, reason: verdict.reason, bridges: verdict.bridges })
    else if (!isConnected(document, one)) {
      const { conversion, mapDepth, replaces } = verdict
      compatible.push({ ...one, becomes: conversion?.to ?? null, once: mapDepth > 0, replaces })
    }
  }
  compatible.sort((one, two) => settingRank(one) - settingRank(two))
  rejected.sort((one, two) => Number(two.bridges.length > 0) - Number(one.bridges.length > 0))
  return { fitting: compatible, refused: rejected.slice(0, MAX_REJECTED) }
}

/** Ports stand before settings. */
function settingRank({ port }: Candidate): number {
  return Number(port.kind === 'setting')
}

function isConnected({ edges }: FlowDocument, { from, to }: Candidate): boolean {
  const [start, finish] = [formatEnd(from), formatEnd(to)]
  return edges.some((edge) => edge.from === start && edge.to === finish)
}

function candidatesOf({ document, catalog }: Session, end: End, side: Side): Candidate[] {
  return document.nodes.flatMap((node) => {
    if (node.id === end.node) return []
    const type = catalog.typeOf(node)
    const ports =
      side === 'source' ? [...inputPorts(node, type), ...settingPorts(node, type)] : outputPorts(node, type)
    return ports.map((port) => {
      const other = { node: node.id, port: port.name }
      return { ...orderedEnds(end, other, side), other, node: titleOf(node, catalog), port }
    })
  })
}
