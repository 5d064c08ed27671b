import type { Catalog } from '../catalog'
import { titleOf } from '../connect'
import type { ExposedSetting, FlowDocument } from '../document'
import { titleOfName } from '../widgets'
import { mapNodes } from './nodes'

/** A setting that launchers may set. */
export interface OfferedSetting {
  readonly node: string
  readonly setting: string
  readonly nodeTitle: string
  readonly title: string
  readonly exposed: ExposedSetting
}

/** The settings that launchers may set, in the order of their form. */
export function offeredSettings(document: FlowDocument, catalog: Catalog): OfferedSetting[] {
  const found = document.nodes.flatMap((node) => {
    const type = catalog.typeOf(node)
    return Object.entries(node.exposed ?? {}).map(([setting, exposed]) => {
      const inner = type?.agentInputs?.find(({ name }) => name === setting)
      const title = inner?.title ?? type?.settings.properties?.[setting]?.title ?? titleOfName(setting)
      return { node: node.id, setting, nodeTitle: titleOf(node, catalog), title, exposed }
    })
  })
  const place = ({ exposed }: OfferedSetting) => exposed.order ?? Number.POSITIVE_INFINITY
  return found.sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)))
}

/** Gives the settings that launchers may set this order in the form. */
export function orderSettings(
  document: FlowDocument,
  order: readonly Pick<OfferedSetting, 'node' | 'setting'>[],
): FlowDocument {
  const places = new Map(order.map(({ node, setting }, at) => [`${node}.${setting}`, at]))
  return mapNodes(document, (node) => {
    const entries = Object.entries(node.exposed ?? {})
    const next = entries.map(([name, exposed]): [string, ExposedSetting] => {
      const place = places.get(`${node.id}.${name}`)
      return [name, place === undefined || place === exposed.order ? exposed : { ...exposed, order: place }]
    })
    const isSame = next.every(([, exposed], at) => exposed === entries[at]?.[1])
    return isSame ? node : { ...node, exposed: Object.fromEntries(next) }
  })
}
