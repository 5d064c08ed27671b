import { useQuery } from '@tanstack/react-query'
import { SettingControl } from '@/components/setting/setting-control'
import { VariableChip } from '@/components/variable/variable-chip'
import { chooseAgent } from '@/document/agent-actions'
import { useBoundNode } from '@/document/use-bound-node'
import { useMaskedImage } from '@/document/use-masked-image'
import { useDocument, useSession } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import { withShape } from '@/graph/data-shape'
import { type FlowNode, findNode, type Size } from '@/graph/document'
import { setSetting } from '@/graph/edits/nodes'
import { type Port, settingNames, settingValue } from '@/graph/ports'
import {
  describeSettings,
  fieldsOf,
  formatSettingValue,
  mainFields,
  type SettingField,
} from '@/graph/setting-fields'
import { widgetOf } from '@/graph/widgets'
import { flowQuery } from '@/lib/api/flows'
import { i18n } from '@/lib/i18n'
import { useBrandOptions } from '@/lib/launch/brands'
import { mediaIn } from '@/lib/run/media-values'
import { CardMedia } from './card-media'

export function hasMainSettings(type: NodeType): boolean {
  return mainFields(type).length > 0
}

type CardSettingsProps = {
  node: FlowNode
  type: NodeType
  inputs: readonly Port[]
  selected: boolean
  room: Size
}

/** The main settings as text; editable once the card is selected. */
export function CardSettings({ node, type, inputs, selected, room }: CardSettingsProps) {
  const session = useSession()
  const bound = useBoundNode(node)
  const brand = savedBrandOf(node, type)
  if (brand) return <SavedBrand reference={brand} />
  const driven = settingNames(inputs)
  const fields = mainFields(type).filter((field) => !driven.includes(field.name))
  if (fields.length === 0) return <p className="line-clamp-3">{describeSettings(bound, type, driven)}</p>
  const isEdited = selected && session.canEdit
  if (
    !isEdited &&
    hasBrand(type) &&
    !node.variables &&
    fields.every((field) => isUnset(field, settingValue(node, type, field.name)))
  )
    return <p className="text-faint">{i18n.t('canvas:node.brandNone')}</p>
  return (
    <div className="flex flex-col gap-2">
      {fields.map((field) =>
        node.variables?.[field.name] !== undefined ? (
          <p key={field.name} className="flex">
            <VariableChip name={node.variables[field.name] ?? ''} />
          </p>
        ) : isEdited ? (
          <Edited key={field.name} node={node} type={type} field={field} />
        ) : (
          <Shown key={field.name} field={field} value={settingValue(node, type, field.name)} room={room} />
        ),
      )}
    </div>
  )
}

function hasBrand(type: NodeType): boolean {
  return fieldsOf(type).some(({ schema }) => widgetOf(schema) === 'brand')
}

function isUnset(field: SettingField, value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || !formatSettingValue(field, value)
}

/** The saved brand that replaces the other settings of the node. */
function savedBrandOf(node: FlowNode, type: NodeType): string | null {
  const field = fieldsOf(type).find(({ schema }) => widgetOf(schema) === 'brand')
  const value = field && settingValue(node, type, field.name)
  const reference = (value as { saved?: unknown } | null | undefined)?.saved
  return typeof reference === 'string' && reference ? reference : null
}

function SavedBrand({ reference }: { reference: string }) {
  const { options, isPending } = useBrandOptions()
  const [id, pinned] = reference.split('@')
  const known = options.find((option) => option.id === id)
  if (!known)
    return (
      <p className={isPending ? 'text-muted' : 'text-madder-text'}>
        {isPending ? '…' : i18n.t('canvas:node.brandGone')}
      </p>
    )
  return (
    <div className="grid gap-1.5">
      <p className="truncate">
        {pinned ? i18n.t('canvas:node.brandPinned', { name: known.name, number: pinned }) : known.name}
      </p>
      <Swatches colors={known.colors} />
    </div>
  )
}

function Edited({ node, type, field }: { node: FlowNode; type: NodeType; field: SettingField }) {
  const session = useSession()
  // Read from the document: React Flow's copy is updated later and would revert fast typing.
  const current = useDocument((flow) => findNode(flow, node.id)) ?? node
  const imageId = useMaskedImage(current, widgetOf(field.schema) === 'mask')
  return (
    <div className="card-field nodrag nopan nowheel text-ink">
      <SettingControl
        compact
        field={withShape(current, field)}
        typeId={type.id}
        aria-label={field.title}
        value={settingValue(current, type, field.name)}
        onChange={(value) => {
          if (field.name === type.subflow) void chooseAgent(session, node.id, field.name, value)
          else
            session.edit(
              (document) => setSetting(document, node.id, field.name, value),
              `${node.id}.${field.name}`,
            )
        }}
        onSettle={() => session.flow.settle()}
        imageId={imageId}
      />
    </div>
  )
}

function AgentName({ flow }: { flow: string }) {
  const { data, isError } = useQuery(flowQuery(flow))
  if (isError) return <p className="text-faint">{i18n.t('canvas:node.agentGone')}</p>
  return <p className="line-clamp-3 break-words">{data?.name}</p>
}

function Shown({ field, value, room }: { field: SettingField; value: unknown; room: Size }) {
  const widget = widgetOf(field.schema)
  if (widget === 'flow' && typeof value === 'string' && value) return <AgentName flow={value} />
  if (widget === 'colors' && Array.isArray(value) && value.length > 0)
    return <Swatches colors={value.map(String)} />
  const media = mediaIn(value)
  if (media.length > 0) return <CardMedia media={media} expected={1} room={room} />
  const text = formatSettingValue(field, value)
  const placeholder = field.schema['x-ui']?.placeholder
  return (
    <p className="line-clamp-3 whitespace-pre-line break-words">
      {text || <span className="text-faint">{placeholder || i18n.t('canvas:node.empty')}</span>}
    </p>
  )
}

function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <div className="flex flex-wrap gap-[5px]">
      {colors.slice(0, 6).map((color, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: colors have no identity but their place
          key={at}
          aria-hidden
          style={{ background: color }}
          className="h-[18px] w-[26px] rounded-xs border border-ink/10"
        />
      ))}
    </div>
  )
}
