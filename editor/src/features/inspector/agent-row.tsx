import { useQuery } from '@tanstack/react-query'
import { CircleArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Select } from '@/components/select'
import { chooseAgent } from '@/document/agent-actions'
import { useCatalog, useSession } from '@/document/use-session'
import { holdAt, updateOf } from '@/graph/agent-updates'
import type { NodeType } from '@/graph/catalog'
import type { FlowNode } from '@/graph/document'
import type { SettingField } from '@/graph/setting-fields'
import { flowQuery } from '@/lib/api/flows'
import { versionsQuery } from '@/lib/api/versions'
import { ValueRow } from './setting-row'

type AgentRowProps = { node: FlowNode; type: NodeType; field: SettingField }

/** The agent that a node runs, and which of its versions. */
export function AgentRow({ node, type, field }: AgentRowProps) {
  const session = useSession()
  const flow = useCatalog().subflowOf(node)
  return (
    <>
      <ValueRow
        node={node}
        field={field}
        source={undefined}
        typeId={type.id}
        value={node.settings[field.name]}
        isSet={false}
        canExpose={false}
        canDrive={false}
        siblings={node.settings}
        onChange={(next) => void chooseAgent(session, node.id, field.name, next)}
      />
      {flow !== null && <VersionRow node={node} flow={flow} />}
    </>
  )
}

const NEWEST = 'newest'

function VersionRow({ node, flow }: { node: FlowNode; flow: string }) {
  const { t } = useTranslation('inspector')
  const { t: words } = useTranslation('canvas')
  const session = useSession()
  const catalog = useCatalog()
  const { isError } = useQuery(flowQuery(flow))
  const { data: versions = [] } = useQuery(versionsQuery(flow))
  const held = catalog.versionOf(node)
  const update = updateOf(node, catalog)
  if (isError) return <p className="rounded-m bg-sunken p-3.5 text-sm">{t('agentVersion.gone')}</p>
  const published = versions.flatMap(({ number, withdrawn_at }) => (number && !withdrawn_at ? [number] : []))
  if (published.length === 0 && held === null) return null
  const numbers = held === null || published.includes(held) ? published : [...published, held]
  return (
    <>
      <Field
        label={t('agentVersion.label')}
        help={held === null ? t('agentVersion.follows') : t('agentVersion.held')}
      >
        <Select
          value={held === null ? NEWEST : String(held)}
          disabled={!session.canEdit}
          choices={[
            { value: NEWEST, label: t('agentVersion.newest') },
            ...numbers.map((number) => ({
              value: String(number),
              label: published.includes(number)
                ? t('agentVersion.number', { number })
                : t('agentVersion.withdrawn', { number }),
            })),
          ]}
          onValueChange={(next) => {
            session.edit((document) => holdAt(document, [node.id], next === NEWEST ? null : Number(next)))
            session.flow.settle()
          }}
        />
      </Field>
      {update && session.canEdit && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-m border border-hairline bg-sunken p-3">
          <p className="flex items-center gap-2 text-sm">
            <CircleArrowUp aria-hidden className="size-4 text-cobalt-text" />
            {words('agentUpdate.available', { number: update.to })}
          </p>
          <Button size="sm" onClick={() => session.view.open('agentUpdate')}>
            {words('agentUpdate.see')}
          </Button>
        </div>
      )}
    </>
  )
}
