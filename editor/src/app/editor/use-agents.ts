import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDocument, useSession } from '@/document/use-session'
import type { Ports, PortType } from '@/graph/catalog'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import type { FieldSchema, InputsSchema } from '@/lib/launch/fields'

/** Loads every agent that a node here runs, since its inputs and results are the ports of that node. */
export function useAgentPorts() {
  const session = useSession()
  const flows = useDocument((flow) =>
    [...new Set(flow.nodes.flatMap((node) => flowOf(session, node) ?? []))].join(' '),
  )
  const queries = flows ? flows.split(' ').map(flowQuery) : []
  const found = useQueries({ queries }).map(({ data }) => data)
  useEffect(() => {
    for (const flow of found)
      if (flow && !session.hasAgentPorts(flow.id)) session.addAgentPorts(flow.id, portsOf(flow))
  }, [found, session])
}

type Session = ReturnType<typeof useSession>
type Node = Session['document']['nodes'][number]

function flowOf({ catalog }: Session, node: Node): string | null {
  const setting = catalog.type(node.type)?.subflow
  const flow = setting ? node.settings[setting] : null
  return typeof flow === 'string' && flow ? flow : null
}

/** A port per input, titled by its node; a port per result, titled by its node and, if that has several, by its port. */
function portsOf(flow: FlowDetail): Ports {
  const { properties = {}, required: asked = [] } = flow.inputs as InputsSchema
  const required = new Set(asked)
  const inputs = Object.entries(properties).map(([name, schema]) =>
    port(name, titleOf(schema) ?? name, String(schema['x-type'] ?? 'Any'), required.has(name)),
  )
  const shown = (node: string) => flow.results.filter((result) => result.node === node).length
  const outputs = flow.results.map((result) => {
    const name = shown(result.node) === 1 ? result.node : `${result.node}.${result.port}`
    return { ...port(name, result.title, result.type, false), list: result.list, depth: Number(result.list) }
  })
  return { inputs, outputs }
}

/** The title of an input; that of an exposed setting names its node too. */
function titleOf(schema: FieldSchema): string | undefined {
  const group = schema['x-group']
  return typeof group === 'string' ? `${group}: ${schema.title}` : schema.title
}

function port(name: string, title: string, type: string, required: boolean): PortType {
  const inner = /^list\[(.+)\]$/.exec(type)?.[1]
  const list = inner !== undefined
  return { name, title, help: '', type: inner ?? type, list, depth: Number(list), lazy: false, required }
}
