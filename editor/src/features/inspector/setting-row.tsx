import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { IconButton } from '@/components/icon-button'
import { SettingControl } from '@/components/setting/setting-control'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { useChecks, useSession } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import type { FlowEdge, FlowNode } from '@/graph/document'
import { setSetting } from '@/graph/edits/nodes'
import { settingValue } from '@/graph/ports'
import type { SettingField } from '@/graph/setting-fields'
import { ownValueError, valueError } from '@/graph/validate'
import { ConnectionSource } from './input-row'

type SettingRowProps = {
  node: FlowNode
  type: NodeType
  field: SettingField
  /** The edge that is connected to this setting, if any. */
  source: FlowEdge | undefined
}

/** One setting with label, help and error; a connected one shows its source. */
export function SettingRow({ node, type, field, source }: SettingRowProps) {
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  const session = useSession()
  const problems = useChecks((checks) => checks.byNode.get(node.id))
  if (source) return <ConnectionSource title={field.title} edge={source} />
  const value = settingValue(node, type, field.name)
  const problem = problems?.find((one) => one.setting?.split(/[.[]/)[0] === field.name)?.message
  const hasErrorInside = valueError(field.schema, value) !== null
  const error = errorText(ownValueError(field.schema, value)) ?? (hasErrorInside ? undefined : problem)
  const isSet = field.name in node.settings
  const change = (next: unknown) =>
    session.edit((flow) => setSetting(flow, node.id, field.name, next), `${node.id}.${field.name}`)
  return (
    <Field
      label={field.title}
      help={field.schema.description}
      error={error}
      required={field.required}
      aside={
        isSet && session.canEdit && field.schema.default !== undefined ? (
          <IconButton
            size="sm"
            label={t('reset')}
            icon={<RotateCcw />}
            className="-my-1 h-6 w-6 text-faint"
            onClick={() => {
              change(undefined)
              session.flow.settle()
            }}
          />
        ) : undefined
      }
    >
      <SettingControl
        field={field}
        typeId={type.id}
        variables={type.variables.includes(field.name)}
        value={value}
        siblings={node.settings}
        place={`${session.flowId}/${node.id}.${field.name}`}
        disabled={!session.canEdit}
        onChange={change}
        onSettle={() => session.flow.settle()}
      />
    </Field>
  )
}
