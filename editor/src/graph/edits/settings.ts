import type { FlowDocument } from '../document'
import { mapNodes } from './nodes'

/** Sets one setting; `undefined` takes it away, so that the type's default counts again. */
export function setSetting(document: FlowDocument, id: string, name: string, value: unknown): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id || Object.is(node.settings[name], value)) return node
    if (value !== undefined) return { ...node, settings: { ...node.settings, [name]: value } }
    const { [name]: _, ...settings } = node.settings
    return { ...node, settings }
  })
}
