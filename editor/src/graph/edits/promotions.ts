import type { Catalog } from '../catalog'
import { titleOf } from '../connect'
import {
  type ExposedSetting,
  type FlowDocument,
  type FlowNode,
  findNode,
  formatEnd,
  parseEnd,
} from '../document'
import { settingPort, settingPorts, targetPort } from '../ports'

/** A setting that nodes which become an agent may offer as an input of it. */
export interface Promotion {
  readonly node: string
  readonly setting: string
  /** The title of the node and of the setting. */
  readonly nodeTitle: string
  readonly title: string
  /** The builder's name for it; empty for the title. */
  readonly label: string
  /** Whether launchers may set it today: then those of the outer agent can from then on, too. */
  readonly isOffered: boolean
  /** Whether an output outside drives it, which then drives the input. */
  readonly isDriven: boolean
}

/**
 * The settings of these nodes that can become inputs of an agent: first what launchers may set today, in the order of
 * their form, then what is driven from outside, then all others.
 */
export function promotionsOf(
  document: FlowDocument,
  catalog: Catalog,
  moved: ReadonlySet<string>,
): Promotion[] {
  const [inside, outside] = drivenEnds(document, moved)
  const found = document.nodes.flatMap((node) =>
    moved.has(node.id) ? promotionsOfNode(node, catalog, inside, outside) : [],
  )
  const place = ({ node, setting, isOffered, isDriven }: Promotion) =>
    isOffered ? (findNode(document, node)?.exposed?.[setting]?.order ?? LAST) : isDriven ? LAST + 1 : LAST + 2
  return found.sort((one, other) => place(one) - place(other))
}

const LAST = 1_000_000_000

/** The ports and settings of these nodes that an edge drives: from inside, and from outside. */
function drivenEnds(document: FlowDocument, moved: ReadonlySet<string>): [Set<string>, Set<string>] {
  const [inside, outside] = [new Set<string>(), new Set<string>()]
  for (const { from, to } of document.edges) {
    if (moved.has(parseEnd(to).node)) (moved.has(parseEnd(from).node) ? inside : outside).add(to)
  }
  return [inside, outside]
}

function promotionsOfNode(
  node: FlowNode,
  catalog: Catalog,
  inside: ReadonlySet<string>,
  outside: ReadonlySet<string>,
): Promotion[] {
  const type = catalog.typeOf(node)
  if (!type || type.input) return []
  const own = settingPorts(node, type).filter(({ name }) => !type.variables.includes(name))
  const names = [...new Set([...Object.keys(node.exposed ?? {}), ...own.map(({ name }) => name)])]
  return names.flatMap((setting) => {
    const end = formatEnd({ node: node.id, port: setting })
    const port = settingPort(type, setting) ?? targetPort(node, type, setting)
    // What is driven from inside has its value from there.
    if (!port || inside.has(end)) return []
    const exposed = node.exposed?.[setting]
    return [
      {
        node: node.id,
        setting,
        nodeTitle: titleOf(node, catalog),
        title: port.title,
        label: exposed?.label ?? '',
        isOffered: exposed !== undefined,
        isDriven: outside.has(end),
      },
    ]
  })
}

/** What is an input of the agent unless the builder chooses otherwise. */
export function promotedByDefault({ isOffered, isDriven }: Promotion): boolean {
  return isOffered || isDriven
}

/** The nodes of the agent, with what it offers: these settings, in this order. */
export function offering(nodes: readonly FlowNode[], promoted: readonly Promotion[]): FlowNode[] {
  return nodes.map(({ exposed, ...node }) => {
    const own = promoted.flatMap((one, at): [string, ExposedSetting][] =>
      one.node === node.id ? [[one.setting, offerOf(exposed?.[one.setting], one, at)]] : [],
    )
    return own.length > 0 ? { ...node, exposed: Object.fromEntries(own) } : node
  })
}

/** What is driven from outside was held to no limits for launchers, and still is not. */
function offerOf(before: ExposedSetting | undefined, one: Promotion, order: number): ExposedSetting {
  const { label: _, minimum, maximum, choices, ...rest } = before ?? {}
  const limits = {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(choices && { choices }),
  }
  return {
    ...rest,
    ...(!one.isDriven && limits),
    ...(one.label.trim() && { label: one.label.trim() }),
    order,
  }
}

/** What the node of the agent offers to launchers of the outer agent: what they may set today. */
export function offeredAgain(
  document: FlowDocument,
  promoted: readonly Promotion[],
): Readonly<Record<string, ExposedSetting>> {
  return Object.fromEntries(
    promoted.flatMap(({ node, setting, label, isOffered }): [string, ExposedSetting][] => {
      if (!isOffered) return []
      const order = findNode(document, node)?.exposed?.[setting]?.order
      const again = { ...(label.trim() && { label: label.trim() }), ...(order !== undefined && { order }) }
      return [[formatEnd({ node, port: setting }), again]]
    }),
  )
}
