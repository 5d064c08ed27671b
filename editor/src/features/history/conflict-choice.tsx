import { Check } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import type { Catalog } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import type { PartDifference, Side } from '@/graph/diff'
import { type FlowDocument, type FlowNode, type FlowVariable, findNode, parseEnd } from '@/graph/document'
import { portAt } from '@/graph/ports'
import { fieldsOf, formatValue, settingAt } from '@/graph/setting-fields'
import { textOfValue } from '@/graph/variables'
import { typeLabel } from '@/lib/humanize'

type ConflictChoiceProps = {
  part: PartDifference
  /** The node of the property; none for a note or group. */
  node: FlowNode | null
  mine: FlowDocument
  theirs: FlowDocument
  side: Side
  onSide: (side: Side) => void
}

/** One property as each side has it; select the one to keep. */
export function ConflictChoice({ part, node, mine, theirs, side, onSide }: ConflictChoiceProps) {
  const { t } = useTranslation(['canvas', 'inspector'])
  const { catalog } = useSession()
  const label = useId()
  const name = nameOf(part, node, catalog, t)
  const words = (value: unknown, document: FlowDocument) =>
    part.kind === 'result' ? t(resultKey(value)) : partText(part, value, node, document, catalog)
  const sides = [
    { value: 'mine', label: t('conflict.mine'), words: words(part.mine, mine) },
    { value: 'theirs', label: t('conflict.theirs'), words: words(part.theirs, theirs) },
  ] as const
  const nothing = t(part.kind === 'connection' ? 'conflict.unconnected' : 'conflict.unset')
  return (
    <div className="grid gap-x-3 gap-y-1.5 px-3.5 py-2.5 sm:grid-cols-[132px_minmax(0,1fr)]">
      <p id={label} className="break-words pt-1.5 font-[550] text-[12.5px]">
        {name}
        {part.clash && (
          <span className="mt-0.5 block font-normal text-ochre-text text-xs">
            {t('conflict.conflicting')}
          </span>
        )}
      </p>
      <RadioGroup.Root
        value={side}
        onValueChange={(next) => onSide(next as Side)}
        aria-labelledby={label}
        className="grid gap-2 sm:grid-cols-2"
      >
        {sides.map((one) => (
          <RadioGroup.Item
            key={one.value}
            value={one.value}
            className="group flex min-w-0 items-start gap-2 rounded-field border border-hairline bg-sunken/60 px-2.5 py-1.5 text-left text-muted data-[state=checked]:border-ink data-[state=checked]:bg-surface data-[state=checked]:text-ink"
          >
            <span className="min-w-0 flex-1">
              <span className="block text-faint text-micro">{one.label}</span>
              <span className="line-clamp-4 whitespace-pre-line break-words text-[12.5px]">
                {one.words || nothing}
              </span>
            </span>
            <Check aria-hidden className="mt-0.5 size-4 opacity-0 group-data-[state=checked]:opacity-100" />
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}

type Words = ReturnType<typeof useTranslation<'canvas'>>['t']

function nameOf(part: PartDifference, node: FlowNode | null, catalog: Catalog, t: Words): string {
  if (part.kind === 'title') return t('conflict.nodeTitle')
  if (part.kind !== 'setting' && part.kind !== 'connection') return t(`conflict.${part.kind}`)
  if (!node) return part.name
  const type = catalog.typeOf(node)
  const port = portAt(node, catalog, { node: node.id, port: part.name }, 'target')
  if (part.kind === 'connection') return port?.title ?? part.name
  return (type && fieldsOf(type).find((field) => field.name === part.name)?.title) ?? part.name
}

function resultKey(value: unknown) {
  if (value === undefined) return 'inspector:showInResults.auto'
  return value ? 'inspector:showInResults.always' : 'inspector:showInResults.never'
}

/** The property of one side as text. */
function partText(
  part: PartDifference,
  value: unknown,
  node: FlowNode | null,
  document: FlowDocument,
  catalog: Catalog,
): string {
  switch (part.kind) {
    case 'connection':
      return sources(value, document, catalog)
    case 'variable':
      return described(value as FlowVariable)
    case 'members':
      return members(value, document, catalog)
    case 'type':
      return typeof value === 'string' ? (catalog.type(value)?.title ?? value) : ''
    case 'setting':
      return formatValue(node ? settingAt(catalog.typeOf(node), part.name).schema : undefined, value)
    default:
      return formatValue(undefined, value)
  }
}

/** A variable: its value, type and description, of which a side may have changed each. */
function described({ value, description, type }: FlowVariable): string {
  return [textOfValue(value), typeLabel(type, false), description].filter(Boolean).join('\n')
}

/** The titles of the sources of an input. */
function sources(value: unknown, document: FlowDocument, catalog: Catalog): string {
  const ends = (value as string[]).map(parseEnd)
  return ends
    .map((end) => {
      const node = findNode(document, end.node)
      const port = portAt(node, catalog, end, 'source')
      return [node ? titleOf(node, catalog) : end.node, port?.title ?? end.port].join(': ')
    })
    .join('\n')
}

/** The titles of the members of a group. */
function members(value: unknown, document: FlowDocument, catalog: Catalog): string {
  const nodes = (value as string[]).map((id) => findNode(document, id))
  return nodes
    .map((node) => (node ? titleOf(node, catalog) : ''))
    .filter(Boolean)
    .join('\n')
}
