import {
  DOCUMENT_FORMAT,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowVariable,
  PLAIN_FORMAT,
  type Point,
  type VariableType,
} from './document'

/** Thrown for text that is not a flow document; the message is shown to the user. */
export class InvalidFlowError extends Error {
  constructor(reason: string) {
    super(`This is not an agent file: ${reason}`)
    this.name = 'NotAFlow'
  }
}

/** Parses any draft that the server may store, however incomplete, and preserves all keys. */
export function parseDocument(data: unknown): FlowDocument {
  const record = asRecord(data, 'the document is not a JSON object.')
  const format = typeof record.format === 'number' ? record.format : PLAIN_FORMAT
  if (format > DOCUMENT_FORMAT) {
    throw new InvalidFlowError(`it has format ${format}; this editor reads up to ${DOCUMENT_FORMAT}.`)
  }
  return {
    ...record,
    format,
    name: typeof record.name === 'string' ? record.name : '',
    nodes: asArray(record.nodes, 'nodes').map(parseNode),
    edges: asArray(record.edges, 'edges').map(parseEdge),
    ...(record.variables !== undefined && {
      variables: asArray(record.variables, 'variables').map(parseVariable),
    }),
  }
}

export function parseVariable(data: unknown, index: number): FlowVariable {
  const record = asRecord(data, `variable ${index + 1} is not an object.`)
  if (typeof record.name !== 'string') throw new InvalidFlowError(`variable ${index + 1} has no name.`)
  const type = typeof record.type === 'string' ? (record.type as VariableType) : 'Json'
  return { ...record, name: record.name, type, value: record.value ?? null }
}

/** The variables that set settings; null for what is no such map. */
function parseUses(data: unknown): Record<string, string> | null {
  if (!isRecord(data) || Object.keys(data).length === 0) return null
  return Object.values(data).every((name) => typeof name === 'string')
    ? (data as Record<string, string>)
    : null
}

function parseNode(data: unknown, index: number): FlowNode {
  const record = asRecord(data, `node ${index + 1} is not an object.`)
  if (typeof record.id !== 'string' || typeof record.type !== 'string') {
    throw new InvalidFlowError(`node ${index + 1} has no id or no type.`)
  }
  const { variables: _, ...rest } = record
  const variables = parseUses(record.variables)
  return {
    ...rest,
    ...(variables && { variables }),
    id: record.id,
    type: record.type,
    version: typeof record.version === 'number' ? record.version : 1,
    settings: isRecord(record.settings) ? record.settings : {},
    position: parsePoint(record.position, index),
  }
}

/** Nodes of a document without positions are placed in a row. */
function parsePoint(data: unknown, index: number): Point {
  if (isRecord(data) && typeof data.x === 'number' && typeof data.y === 'number') {
    return { x: data.x, y: data.y }
  }
  return { x: (index % 8) * 300, y: Math.floor(index / 8) * 240 }
}

function parseEdge(data: unknown, index: number): FlowEdge {
  const record = asRecord(data, `edge ${index + 1} is not an object.`)
  if (typeof record.from !== 'string' || typeof record.to !== 'string') {
    throw new InvalidFlowError(`edge ${index + 1} has no ends.`)
  }
  return { ...record, from: record.from, to: record.to }
}

export function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function asRecord(data: unknown, reason: string): Record<string, unknown> {
  if (!isRecord(data)) throw new InvalidFlowError(reason)
  return data
}

function asArray(data: unknown, name: string): unknown[] {
  if (data === undefined || data === null) return []
  if (!Array.isArray(data)) throw new InvalidFlowError(`"${name}" is not a list.`)
  return data
}
