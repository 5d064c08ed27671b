import { useTranslation } from 'react-i18next'
import { SettingControl } from '@/components/setting/setting-control'
import { useDocument, useSession } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import { type FlowNode, findNode } from '@/graph/document'
import { setSetting } from '@/graph/edits/nodes'
import { type Port, settingValue } from '@/graph/ports'
import { describeSettings, formatSettingValue, mainFields, type SettingField } from '@/graph/setting-fields'
import { widgetOf } from '@/graph/widgets'
import { mediaIn } from '@/lib/run/values'
import { CardMedia } from './card-media'

export function hasMainSettings(type: NodeType): boolean {
  return mainFields(type).length > 0
}

type CardSettingsProps = { node: FlowNode; type: NodeType; inputs: readonly Port[]; selected: boolean }

/** The main settings as text; editable once the card is selected. */
export function CardSettings({ node, type, inputs, selected }: CardSettingsProps) {
  const session = useSession()
  const driven = new Set(inputs.filter((port) => port.kind === 'setting').map((port) => port.name))
  const fields = mainFields(type).filter((field) => !driven.has(field.name))
  if (fields.length === 0) return <p className="line-clamp-3">{describeSettings(node, type)}</p>
  return (
    <div className="flex flex-col gap-2">
      {fields.map((field) =>
        selected && session.canEdit ? (
          <Edited key={field.name} node={node} type={type} field={field} />
        ) : (
          <Shown key={field.name} field={field} value={settingValue(node, type, field.name)} />
        ),
      )}
    </div>
  )
}

function Edited({ node, type, field }: { node: FlowNode; type: NodeType; field: SettingField }) {
  const session = useSession()
  // Read from the document: React Flow's copy is updated later and would revert fast typing.
  const current = useDocument((flow) => findNode(flow, node.id)) ?? node
  return (
    <div className="nodrag nopan nowheel text-ink">
      <SettingControl
        compact
        field={field}
        typeId={type.id}
        aria-label={field.title}
        value={settingValue(current, type, field.name)}
        onChange={(value) =>
          session.edit(
            (document) => setSetting(document, node.id, field.name, value),
            `${node.id}.${field.name}`,
          )
        }
        onSettle={() => session.flow.settle()}
      />
    </div>
  )
}

function Shown({ field, value }: { field: SettingField; value: unknown }) {
  const { t } = useTranslation('canvas')
  const widget = widgetOf(field.schema)
  if (widget === 'colors' && Array.isArray(value) && value.length > 0)
    return <Swatches colors={value.map(String)} />
  const media = mediaIn(value)
  if (media.length > 0) return <CardMedia media={media} expected={1} />
  const text = formatSettingValue(field, value)
  const placeholder = field.schema['x-ui']?.placeholder
  return (
    <p className="line-clamp-3 whitespace-pre-line break-words">
      {text || <span className="text-faint">{placeholder || t('node.empty')}</span>}
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
